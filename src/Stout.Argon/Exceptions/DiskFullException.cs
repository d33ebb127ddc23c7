namespace Stout.Argon.Exceptions;

/// <summary>The disk has no space for a write. The write has changed nothing; delete objects and repeat it.</summary>
public sealed class DiskFullException(Exception? inner) : ArgonException("The disk is full. The write has changed nothing: make space and repeat it.", inner);
