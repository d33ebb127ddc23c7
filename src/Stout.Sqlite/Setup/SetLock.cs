using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>
/// Keeps a second process (or a second proxy of this one) from a set. The system drops the lock with the process, however it ends,
/// so the file may stay. It is a file of its own: a lock on the database would keep the sqlite3 shell from reading it.
/// </summary>
internal sealed class SetLock : IDisposable
{
    // EAGAIN on Linux and macOS, and Windows' sharing violation.
    private static readonly int[] HeldByOther = [11, 35, unchecked((int)0x80070020)];

    private readonly FileStream _file;

    private SetLock(FileStream file) => _file = file;

    public static SetLock Take(string path)
    {
        var file = Open(path) ?? throw new StoreException(
            StoreErrorKind.Locked, $"The store is open already, in this process or another: {Path.GetFileName(path)} is locked.");
        try
        {
            // Some file systems, and a switch of .NET, take the lock and do not enforce it.
            using var second = Open(path);
            if (second is not null)
            {
                throw new StoreException(
                    StoreErrorKind.Refused, $"Locks do not work on {Path.GetFileName(path)}; a second process could not be kept out.");
            }

            return new SetLock(file);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public void Dispose() => _file.Dispose();

    private static FileStream? Open(string path)
    {
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
        }
        catch (IOException held) when (HeldByOther.Contains(held.HResult))
        {
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(StoreErrorKind.Refused, $"The lock file {Path.GetFileName(path)} can't be written.", error);
        }
    }
}
