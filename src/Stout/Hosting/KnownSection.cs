namespace Stout.Hosting;

/// <summary>A configuration section or setting that belongs to one Stout. Other settings beside it are errors.</summary>
/// <param name="Path">The full path.</param>
internal sealed record KnownSection(string Path)
{
    /// <summary>Whether a setting is this one, or one of its parents.</summary>
    public bool Covers(string path) =>
        Path.StartsWith(path, StringComparison.OrdinalIgnoreCase) && (Path.Length == path.Length || Path[path.Length] == ':');
}
