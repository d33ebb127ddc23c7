using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Stout.Sqlite.Native;

/// <summary>
/// Read locks on a database file and its wal-index (<c>-shm</c>) that last while the store is open. They are open file description locks of Linux, on handles
/// of their own.
/// </summary>
/// <remarks>
/// SQLite's own locks belong to the process, so they end when any code of the process closes the same file, for instance after copying it. Another program
/// would then take itself for the only user of the database. It would truncate the wal-index, which this process has mapped, or delete the log.
/// These locks are where SQLite looks for other users.
/// </remarks>
internal sealed partial class LastingLocks : IDisposable
{
    // SQLite's file format: a connection holds a read lock on these bytes of the database file, and on this byte of the wal-index.
    private const long SharedFirst = 0x40000002;
    private const long SharedBytes = 510;
    private const long IndexInUse = 128;

    private const int SetLock = 37; // F_OFD_SETLK
    private const short ReadLock = 0;
    private const short NoLock = 2;

    private readonly List<(SafeFileHandle File, long First, long Bytes)> _locks = [];

    /// <summary>Takes the locks, as far as the system has such locks. Called while a connection has both files open.</summary>
    public LastingLocks(string database)
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            return;
        Add(database, SharedFirst, SharedBytes);
        Add(database + "-shm", IndexInUse, 1);
    }

    /// <summary>
    /// Releases the locks but keeps the files open: closing a file would end the locks of connections that are still open. The last connection deletes the log only if it
    /// finds no lock.
    /// </summary>
    public void Release()
    {
        foreach (var (file, first, bytes) in _locks)
            Set(file, NoLock, first, bytes);
    }

    /// <summary>Closes the files. Called after the connections have been closed.</summary>
    public void Dispose()
    {
        foreach (var (file, _, _) in _locks)
            file.Dispose();
    }

    private void Add(string path, long first, long bytes)
    {
        if (!File.Exists(path))
            return;
        var file = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        _locks.Add((file, first, bytes));
        Set(file, ReadLock, first, bytes);
    }

    // A failure leaves SQLite's own locks, as on a system without such locks.
    private static void Set(SafeFileHandle file, short kind, long first, long bytes) =>
        _ = Control((int)file.DangerousGetHandle(), SetLock, new Range { Kind = kind, First = first, Bytes = bytes });

    [LibraryImport("libc", EntryPoint = "fcntl")]
    private static partial int Control(int file, int command, in Range range);

    /// <summary>Linux' struct flock on a system of 64 bits.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Range
    {
        public short Kind;
        public short Whence;
        public long First;
        public long Bytes;
        public int Process;
    }
}
