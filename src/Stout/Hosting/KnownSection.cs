namespace Stout.Hosting;

/// <summary>A configuration section or setting that the check for unknown settings accepts: Stout reads it, or leaves it to the application.</summary>
/// <param name="Path">The full path.</param>
internal sealed record KnownSection(string Path)
{
    /// <summary>Whether a path is that of this section or setting, or of a section that contains it.</summary>
    public bool Covers(string path) =>
        Path.StartsWith(path, StringComparison.OrdinalIgnoreCase) && (Path.Length == path.Length || Path[path.Length] == ':');
}
