namespace Stout.Argon.Exceptions;

/// <summary>The disk failed to create, open, delete or list objects, or to allocate space. Acknowledged data is not affected; repeat the call.</summary>
public sealed class DiskFailedException(Exception inner) : ArgonException("The disk failed a request on the folder or for space. Repeat the call, or check the disk.", inner);
