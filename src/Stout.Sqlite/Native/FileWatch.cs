namespace Stout.Sqlite.Native;

/// <summary>
/// Notices that a file of an open database was deleted or replaced. The system keeps such a file until the last handle on it is
/// closed, so a commit to it would be acknowledged and gone with the process.
/// </summary>
internal sealed class FileWatch
{
    private readonly List<(string Path, FileIdentity Identity)> _files = [];

    /// <summary>Watches files that are open. One that the system can't identify is not watched.</summary>
    public FileWatch(params ReadOnlySpan<string> paths)
    {
        foreach (var path in paths)
        {
            if (FileIdentity.Of(path) is { } identity)
                _files.Add((path, identity));
        }
    }

    /// <exception cref="SqliteFailure">A file is not there any more, or another one has its name.</exception>
    public void Check()
    {
        foreach (var (path, identity) in _files)
        {
            if (FileIdentity.Of(path) != identity)
                throw SqliteFailure.FileMoved();
        }
    }
}
