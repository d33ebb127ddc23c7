using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Stout.Argon.Devices;

/// <summary>System calls that .NET does not provide.</summary>
internal static partial class Native
{
    public const int NoSpace = 28;
    private const int Interrupted = 4;
    private const int InvalidArgument = 22;
    private const int NotSupported = 95;
    private const int ReadWrite = 2;
    private const int Create = 0x40;
    private const int Exclusive = 0x80;
    private const int SeekData = 3;
    private const int SeekHole = 4;
    private const int CloseOnExec = 0x80000;

    private static int Direct => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm ? 0x10000 : 0x4000;

    /// <summary>Opens a file for direct I/O, without the kernel's cache.</summary>
    /// <returns>The handle; null if the file system has no direct I/O.</returns>
    public static SafeFileHandle? OpenDirect(string path, bool create)
    {
        if (OperatingSystem.IsWindows())
            return File.OpenHandle(path, create ? FileMode.CreateNew : FileMode.Open, FileAccess.ReadWrite, FileShare.Read, (FileOptions)0x20000000 | FileOptions.WriteThrough);
        if (!OperatingSystem.IsLinux())
            return null;
        var descriptor = Open(path, ReadWrite | CloseOnExec | Direct | (create ? Create | Exclusive : 0), 0x1A0);
        if (descriptor >= 0)
            return new SafeFileHandle(descriptor, ownsHandle: true);
        var error = Marshal.GetLastPInvokeError();
        if (error != InvalidArgument)
            throw new IOException($"open failed: {Marshal.GetPInvokeErrorMessage(error)}", error);
        // Linux creates the file even if it then refuses direct I/O.
        if (create)
            File.Delete(path);
        return null;
    }

    /// <summary>Makes a file's data durable, and the metadata that reading the data needs.</summary>
    public static void Sync(SafeFileHandle file)
    {
        if (!OperatingSystem.IsLinux())
            RandomAccess.FlushToDisk(file);
        else if (DataSync(file) != 0)
            throw LastError("fdatasync");
    }

    /// <summary>Makes a folder's entries durable.</summary>
    public static void SyncFolder(string folder)
    {
        if (!OperatingSystem.IsLinux())
            return;
        var descriptor = Open(folder, CloseOnExec, 0);
        if (descriptor < 0)
            throw LastError("open");
        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        if (DataSync(handle) != 0)
            throw LastError("fdatasync");
    }

    /// <summary>Reserves disk space, so that a later write cannot fail for lack of it.</summary>
    /// <exception cref="IOException">Its HResult is <see cref="NoSpace"/> on a full disk.</exception>
    public static void Reserve(SafeFileHandle file, long from, long end)
    {
        if (OperatingSystem.IsLinux())
        {
            if (Allocate(file, 0, from, end - from) == 0)
                return;
            if (Marshal.GetLastPInvokeError() != NotSupported)
                throw LastError("fallocate");
        }

        if (RandomAccess.GetLength(file) < end)
            RandomAccess.SetLength(file, end);
    }

    /// <summary>Reads contiguous blocks of a file into frames of the slab in one call, or writes the frames to the blocks.</summary>
    /// <returns>The number of transferred bytes: fewer than requested at the end of a file, or when the disk becomes full. 0 on a system without such
    /// a call.</returns>
    public static unsafe long Transfer(SafeFileHandle file, NativeSlab slab, List<int> frames, long offset, bool write)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        var vectors = stackalloc IoVector[frames.Count];
        for (var i = 0; i < frames.Count; i++)
            vectors[i] = new IoVector(slab.AddressOf(frames[i]), ArgonOptions.BlockSize);
        while (true)
        {
            var done = write ? WriteVector(file, vectors, frames.Count, offset) : ReadVector(file, vectors, frames.Count, offset);
            if (done >= 0)
                return done;
            if (Marshal.GetLastPInvokeError() != Interrupted)
                throw LastError(write ? "pwritev" : "preadv");
        }
    }

    /// <summary>The next extent of written data at or after an offset; null after the last one. Without such a call, all of the file counts as data.</summary>
    public static (long Start, long End)? NextData(SafeFileHandle file, long offset)
    {
        var length = RandomAccess.GetLength(file);
        if (offset >= length)
            return null;
        if (!OperatingSystem.IsLinux())
            return (offset, length);
        var start = Seek(file, offset, SeekData);
        return start < 0 ? null : (start, Seek(file, start, SeekHole) is var end and >= 0 ? end : length);
    }

    private static IOException LastError(string call)
    {
        var error = Marshal.GetLastPInvokeError();
        return new IOException($"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}", error);
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    private static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "preadv", SetLastError = true)]
    private static unsafe partial nint ReadVector(SafeFileHandle file, IoVector* vectors, int count, long offset);

    [LibraryImport("libc", EntryPoint = "pwritev", SetLastError = true)]
    private static unsafe partial nint WriteVector(SafeFileHandle file, IoVector* vectors, int count, long offset);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int DataSync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    private static partial int Allocate(SafeFileHandle file, int mode, long offset, long length);

    private readonly record struct IoVector(nint Start, nint Bytes);
}
