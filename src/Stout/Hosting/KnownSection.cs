namespace Stout.Hosting;

/// <summary>A section or setting of the configuration that belongs to one Stout, so that whatever else stands beside it is a mistake.</summary>
/// <param name="Path">Its full path.</param>
internal sealed record KnownSection(string Path)
{
    /// <summary>Whether a setting is this one, or leads to it.</summary>
    public bool Covers(string path) =>
        Path.StartsWith(path, StringComparison.OrdinalIgnoreCase) && (Path.Length == path.Length || Path[path.Length] == ':');
}
