using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>
/// Excludes a second process, or a second proxy of this process, from a set of files. The system releases the lock when the process ends, so the file may
/// remain. The lock has a file of its own, since a lock on the database would also exclude the sqlite3 shell.
/// </summary>
internal sealed class SetLock : IDisposable
{
    // The error codes of a lock that is held elsewhere: EAGAIN on Linux (11) and macOS (35), and Windows' sharing violation.
    private static readonly int[] HeldByOther = [11, 35, unchecked((int)0x80070020)];

    private readonly FileStream _file;

    private SetLock(FileStream file) => _file = file;

    public static SetLock Take(string path, UnixFileMode mode)
    {
        var file = Open(path, mode) ?? throw new StoreException(
            StoreErrorKind.Locked, $"The store is open already, in this process or another: its lock file {ShownPath.Of(path)} is locked.");
        try
        {
            // A link may have replaced the file since it was checked; then another file would be locked.
            if (FileIdentity.Of(file.SafeFileHandle) is { } locked && FileIdentity.Of(path) != locked)
                throw Refused("The lock file is being replaced.");

            // Some file systems, and a .NET setting, accept the lock without enforcing it. A second attempt to lock must therefore fail.
            using var second = Open(path, mode);
            if (second is not null)
                throw Refused("Locks do not work on the lock file; a second process could not be kept out.");
            return new SetLock(file);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public void Dispose() => _file.Dispose();

    private static FileStream? Open(string path, UnixFileMode mode)
    {
        try
        {
            if (new FileInfo(path).LinkTarget is not null)
                throw Refused("The lock file is a symbolic link.");
            return File.Exists(path) ? OpenExisting(path) : CreateOrOpen(path, mode);
        }
        catch (IOException held) when (HeldByOther.Contains(held.HResult))
        {
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Without the inner exception: its message contains the path, and the text of a setting may be secret.
            throw Refused($"The lock file can't be written ({error.GetType().Name}).");
        }
    }

    private static FileStream OpenExisting(string path) => new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);

    private static FileStream CreateOrOpen(string path, UnixFileMode mode)
    {
        try
        {
            return OwnFile.Create(path, mode);
        }
        catch (IOException) when (File.Exists(path))
        {
            return OpenExisting(path); // Another process has created the file meanwhile.
        }
    }

    private static StoreException Refused(string message) => new(StoreErrorKind.Refused, message);
}
