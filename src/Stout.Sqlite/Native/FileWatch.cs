namespace Stout.Sqlite.Native;

/// <summary>
/// Detects that a file of an open database was deleted or replaced. The system keeps such a file only until its last handle is closed, so commits to
/// it would be acknowledged and then lost.
/// </summary>
internal sealed class FileWatch
{
    private readonly List<(string Path, FileIdentity Identity)> _files = [];

    /// <summary>Watches open files, except those that the system cannot identify.</summary>
    public FileWatch(params ReadOnlySpan<string> paths)
    {
        foreach (var path in paths)
        {
            if (FileIdentity.Of(path) is { } identity)
                _files.Add((path, identity));
        }
    }

    /// <exception cref="SqliteFailure">A file is missing, or another file has its name.</exception>
    public void Check()
    {
        foreach (var (path, identity) in _files)
        {
            if (FileIdentity.Of(path) != identity)
                throw SqliteFailure.FileMoved();
        }
    }
}
