namespace Stout.Argon.Exceptions;

/// <summary>A file in the folder has another format, or is damaged: move it away, or restore it.</summary>
public sealed class LayoutMismatchException(string file, string why) : ArgonException($"The file is no intact object: {why}. Move it away, or restore it from a backup.")
{
    /// <summary>The file.</summary>
    public string File { get; } = file;
}
