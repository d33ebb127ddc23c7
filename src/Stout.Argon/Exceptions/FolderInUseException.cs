namespace Stout.Argon.Exceptions;

/// <summary>Another engine uses the folder.</summary>
public sealed class FolderInUseException(string folder, Exception inner) : ArgonException("Another engine uses the folder: stop it, or take another folder.", inner)
{
    /// <summary>The folder.</summary>
    public string Folder { get; } = folder;
}
