namespace Stout.Argon.Exceptions;

/// <summary>
/// A write-back or a sync of the object failed, and unflushed data is lost. Open the object again to continue with the data on the disk.
/// </summary>
public sealed class ObjectBrokenException(Exception inner) : ArgonException("A write to the disk failed, so data that was not flushed may be lost. Open the object anew to go on with what the disk has.", inner);
