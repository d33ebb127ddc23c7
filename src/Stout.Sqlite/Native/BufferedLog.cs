using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stout.Sqlite.Native;

/// <summary>
/// SQLite's default VFS, with a buffer for writes to the write-ahead log. SQLite writes each page of a transaction with two system calls; the buffer
/// needs one call for 59 pages. The buffer is flushed before SQLite syncs, reads, measures, truncates or closes the log. When a log begins, its
/// <see cref="LogMark"/> is written first.
/// </summary>
/// <remarks>
/// Only for connections with <c>synchronous=FULL</c>. SQLite then syncs the log before it tells other connections about a transaction, so no
/// reader looks for pages that are still in the buffer. An error of the deferred write is returned by the sync, and fails the transaction as an
/// error of the write itself would.
/// </remarks>
internal static unsafe partial class BufferedLog
{
    private const int OpensLog = 0x80000; // SQLITE_OPEN_WAL
    private const int OverwritesPowersafe = 0x1000; // SQLITE_IOCAP_POWERSAFE_OVERWRITE
    private const int Ok = 0;
    private const int NoMemory = 7; // SQLITE_NOMEM

    // SQLite's own file methods write at most 128 KiB - 1 byte with one call.
    private const int Capacity = 120 * 1024;

    private static readonly Lazy<string?> Registered = new(Register);
    private static int _baseFileBytes;
    private static delegate* unmanaged[Cdecl]<Vfs*, byte*, File*, int, int*, int> _open;

    /// <summary>The VFS's name; null if the SQLite library does not accept the VFS. Connections then use the default VFS.</summary>
    public static string? Name => Registered.Value;

    private static string? Register()
    {
        try
        {
            var standard = Find(null);
            if (standard is null || standard->Version < 3)
                return null;
            _baseFileBytes = (standard->FileBytes + 15) & ~15;
            _open = standard->Open;
            var vfs = (Vfs*)NativeMemory.Alloc((nuint)sizeof(Vfs));
            *vfs = *standard;
            vfs->FileBytes = _baseFileBytes + sizeof(Buffer);
            vfs->Name = (byte*)Marshal.StringToCoTaskMemUTF8("stout");
            vfs->Open = &Open;
            return Register(vfs, 0) == Ok ? "stout" : null;
        }
        catch (Exception error) when (error is DllNotFoundException or EntryPointNotFoundException)
        {
            return null;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Open(Vfs* vfs, byte* name, File* file, int flags, int* flagsOut)
    {
        var result = _open(vfs, name, file, flags, flagsOut);
        if (result != Ok || (flags & OpensLog) == 0 || file->Methods->Version < 3)
            return result;

        // If the disk lacks the property POWERSAFE_OVERWRITE, a torn sector can damage bytes beside those written. SQLite then pads each transaction with
        // pages, and writes some of them after the last sync. These pages would stay in the buffer, so the log on such a disk is not buffered.
        var capacity = (file->Methods->DeviceCharacteristics(file) & OverwritesPowersafe) == 0 ? 0 : Capacity;
        var buffer = BufferOf(file);
        *buffer = new Buffer { Base = file->Methods, Methods = *file->Methods, Name = name, Capacity = capacity, Database = DatabaseOf(name) };
        buffer->Methods.Close = &Close;
        buffer->Methods.Read = &Read;
        buffer->Methods.Write = &Write;
        buffer->Methods.Truncate = &Truncate;
        buffer->Methods.Sync = &Sync;
        buffer->Methods.FileSize = &FileSize;
        file->Methods = &buffer->Methods;
        return result;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Write(File* file, byte* bytes, int count, long offset)
    {
        var buffer = BufferOf(file);
        if (offset == 0 && count == LogMark.LogHeaderBytes)
            Mark(buffer, new ReadOnlySpan<byte>(bytes, count));
        if (buffer->Bytes is null && (buffer->Bytes = Allocate()) is null)
            return NoMemory;
        if ((offset != buffer->Offset + buffer->Count || buffer->Count + count > buffer->Capacity) && Flush(file) is not Ok and var error)
            return error;
        if (count > buffer->Capacity)
            return buffer->Base->Write(file, bytes, count, offset);
        if (buffer->Count == 0)
            buffer->Offset = offset;
        Unsafe.CopyBlockUnaligned(buffer->Bytes + buffer->Count, bytes, (uint)count);
        buffer->Count += count;
        return Ok;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Read(File* file, byte* bytes, int count, long offset) =>
        Flush(file) is not Ok and var error ? error : BufferOf(file)->Base->Read(file, bytes, count, offset);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Truncate(File* file, long size) => Flush(file) is not Ok and var error ? error : BufferOf(file)->Base->Truncate(file, size);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Sync(File* file, int flags) => Flush(file) is not Ok and var error ? error : BufferOf(file)->Base->Sync(file, flags);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int FileSize(File* file, long* size) => Flush(file) is not Ok and var error ? error : BufferOf(file)->Base->FileSize(file, size);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Close(File* file)
    {
        var error = Flush(file);
        var buffer = BufferOf(file);
        NativeMemory.Free(buffer->Bytes);
        buffer->Bytes = null;
        var result = buffer->Base->Close(file);
        return error == Ok ? result : error;
    }

    // A failed write empties the buffer too, so pages of the transaction's earlier statements are lost. SQLite may undo only the failed statement. The
    // writer therefore rolls back the whole transaction.
    private static int Flush(File* file)
    {
        var buffer = BufferOf(file);
        var count = buffer->Count;
        buffer->Count = 0;
        return count == 0 ? Ok : buffer->Base->Write(file, buffer->Bytes, count, buffer->Offset);
    }

    /// <summary>Writes the mark of a log that begins. All pages of the log before it have been copied into the database file.</summary>
    private static void Mark(Buffer* buffer, ReadOnlySpan<byte> logHeader)
    {
        if (buffer->Database is null)
            return;
        try
        {
            var header = new byte[LogMark.HeaderBytes];
            fixed (byte* first = header)
            {
                if (buffer->Database->Methods->Read(buffer->Database, first, header.Length, 0) != Ok)
                    return;
            }

            new LogMark(BitConverter.ToUInt64(logHeader[LogMark.SaltsInLog]), header).Write(Marshal.PtrToStringUTF8((nint)buffer->Name)!);
        }
        catch (Exception)
        {
            // Without its mark a log is not checked. A full disk, for example, must not fail the commit for that.
        }
    }

    /// <returns>The database file of a log that SQLite opens; null if the SQLite library does not tell.</returns>
    private static File* DatabaseOf(byte* log)
    {
        try
        {
            return FindDatabase(log);
        }
        catch (EntryPointNotFoundException)
        {
            return null; // SQLite has the function since version 3.31.
        }
    }

    private static byte* Allocate()
    {
        try
        {
            return (byte*)NativeMemory.Alloc(Capacity);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    private static Buffer* BufferOf(File* file) => (Buffer*)((byte*)file + _baseFileBytes);

    [LibraryImport("e_sqlite3", EntryPoint = "sqlite3_vfs_find", StringMarshalling = StringMarshalling.Utf8)]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    private static partial Vfs* Find(string? name);

    [LibraryImport("e_sqlite3", EntryPoint = "sqlite3_database_file_object")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    private static partial File* FindDatabase(byte* log);

    [LibraryImport("e_sqlite3", EntryPoint = "sqlite3_vfs_register")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    private static partial int Register(Vfs* vfs, int isDefault);

    /// <summary>An open file: SQLite's sqlite3_file. In memory, the default VFS's own fields follow, and then those of <see cref="Buffer"/>.</summary>
    internal struct File
    {
        public IoMethods* Methods;
    }

    /// <summary>The fields of an open log that follow those of the default VFS.</summary>
    internal struct Buffer
    {
        public IoMethods Methods;
        public IoMethods* Base;
        public byte* Bytes;
        public long Offset;
        public int Count;

        // 0 for a log that is not buffered.
        public int Capacity;

        // SQLite keeps the name until it closes the log.
        public byte* Name;
        public File* Database;
    }

    /// <summary>SQLite's sqlite3_io_methods, version 3.</summary>
    internal struct IoMethods
    {
        public int Version;
        public delegate* unmanaged[Cdecl]<File*, int> Close;
        public delegate* unmanaged[Cdecl]<File*, byte*, int, long, int> Read;
        public delegate* unmanaged[Cdecl]<File*, byte*, int, long, int> Write;
        public delegate* unmanaged[Cdecl]<File*, long, int> Truncate;
        public delegate* unmanaged[Cdecl]<File*, int, int> Sync;
        public delegate* unmanaged[Cdecl]<File*, long*, int> FileSize;
        public nint Lock;
        public nint Unlock;
        public nint CheckReservedLock;
        public nint FileControl;
        public nint SectorSize;
        public delegate* unmanaged[Cdecl]<File*, int> DeviceCharacteristics;
        public Others Rest;

        [InlineArray(6)]
        public struct Others
        {
            private nint _first;
        }
    }

    /// <summary>SQLite's sqlite3_vfs, version 3.</summary>
    internal struct Vfs
    {
        public int Version;
        public int FileBytes;
        public int LongestPath;
        public Vfs* Next;
        public byte* Name;
        public void* Data;
        public delegate* unmanaged[Cdecl]<Vfs*, byte*, File*, int, int*, int> Open;
        public Others Rest;

        [InlineArray(15)]
        public struct Others
        {
            private nint _first;
        }
    }
}
