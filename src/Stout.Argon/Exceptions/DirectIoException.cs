namespace Stout.Argon.Exceptions;

/// <summary>The file system of a folder has no direct I/O.</summary>
public sealed class DirectIoException(string folder, Exception? inner) : ArgonException("The file system has no direct I/O: take another, or allow buffered I/O.", inner)
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = folder;
}
