namespace Stout.Argon.Exceptions;

/// <summary>The disk failed to read a block.</summary>
public sealed class DiskReadException(Exception inner) : ArgonException("The disk failed to read. Repeat the read, or restore the object from a backup.", inner);
