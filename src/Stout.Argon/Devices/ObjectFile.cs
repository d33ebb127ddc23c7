using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Devices;

/// <summary>
/// One object's file: two header blocks with the length, which are written alternately, and then the data. A length is durable after the sync that
/// follows the write of its header. The core has one sync, resize or allocation of a file at the device at a time, so the fields need no lock.
/// </summary>
internal sealed class ObjectFile : IDisposable
{
    /// <summary>The extension of files that are being created.</summary>
    public const string UnfinishedExtension = ".new";

    public const int HeaderBytes = 2 * ArgonOptions.BlockSize;

    /// <summary>The most bytes that a file takes beyond those that an allocation needs, so that small writes allocate seldom.</summary>
    public const long MostAhead = 1 << 20;

    private const long ReserveStep = 64 << 20;
    private const int OwnerAt = 32;
    private const ulong Magic = 0x4E4F475241545553;
    private readonly SafeFileHandle _file;
    private readonly NativeSlab _header = new(1, ArgonOptions.BlockSize);
    private ulong _sequence;
    private long _durableLength = -1;
    private long _reserved;

    private ObjectFile(string path, SafeFileHandle file) => (Path, _file) = (path, file);

    /// <summary>The account of the service that created the object: see <see cref="SpaceAccount.KeyOf"/>.</summary>
    public UInt128 Owner { get; private set; }

    /// <summary>The bytes that the opening released.</summary>
    public long Released { get; private set; }

    public string Path { get; }

    /// <summary>The length that the header had when the file was opened.</summary>
    public long Length { get; private set; }

    /// <summary>The bytes of data that have space.</summary>
    public long Reserved => _reserved - HeaderBytes;

    /// <summary>Creates a file under a temporary name, and renames it when it is complete. So a crash or a full disk leaves no file without a header.</summary>
    public static ObjectFile Create(string path, bool buffered, UInt128 owner = default)
    {
        var unfinished = path + UnfinishedExtension;
        File.Delete(unfinished);
        ObjectFile? file = null;
        try
        {
            file = new ObjectFile(path, Open(unfinished, create: true, buffered)) { Owner = owner };
            file.WriteLength(0);
            Native.Sync(file._file);
            File.Move(unfinished, path);
            file._reserved = HeaderBytes;
            return file;
        }
        catch
        {
            file?.Dispose();
            File.Delete(unfinished);
            throw;
        }
    }

    public static ObjectFile Open(string path, bool buffered)
    {
        var file = new ObjectFile(path, Open(path, create: false, buffered));
        try
        {
            file.ReadLength();
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Reserves space for the data up to <paramref name="end"/>, in steps. If the disk has too little space, gives back the steps.</summary>
    /// <returns>The bytes of data that have space.</returns>
    /// <exception cref="IOException">Its HResult is <see cref="Native.NoSpace"/> on a full disk; the file has the space that it had before.</exception>
    /// <param name="end">The bytes of data that need space.</param>
    /// <param name="most">The most bytes of data that may have space.</param>
    public long Reserve(long end, long most = long.MaxValue) => Reserve(end, most, FreeSpace);

    /// <param name="end">The bytes of data that need space.</param>
    /// <param name="most">The most bytes of data that may have space.</param>
    /// <param name="freeSpace">The free space of a file's disk.</param>
    internal long Reserve(long end, long most, Func<string, long> freeSpace)
    {
        var needed = HeaderBytes + RoundUp(end);
        if (needed <= _reserved)
            return Reserved;
        var before = _reserved;
        // Checked first, since a request that can't succeed must not take the space of others for a moment.
        if (needed - before > freeSpace(Path))
            throw new IOException("The disk has too little space.", Native.NoSpace);
        try
        {
            while (_reserved < needed)
                ReserveTo(Math.Min(needed, _reserved + ReserveStep));
        }
        catch
        {
            // A failed fallocate may have allocated a part.
            CutTo(before);
            throw;
        }

        var ahead = Math.Min(Math.Min(MostAhead, RoundUp(end)), most - (needed - HeaderBytes));
        if (ahead <= 0)
            return Reserved;
        try
        {
            ReserveTo(needed + ahead);
        }
        catch (IOException error) when (error.HResult == Native.NoSpace)
        {
            CutTo(needed);
        }

        return Reserved;
    }

    /// <summary>Reads blocks. Bytes beyond the file's end are zeros.</summary>
    public void Read(NativeSlab slab, List<int> frames, long first)
    {
        var offset = HeaderBytes + (first * ArgonOptions.BlockSize);
        var read = frames.Count == 1 ? 0 : Native.Transfer(_file, slab, frames, offset, write: false);
        for (var i = (int)(read / ArgonOptions.BlockSize); i < frames.Count; i++)
        {
            var block = slab[frames[i]];
            block[RandomAccess.Read(_file, block, offset + ((long)i * ArgonOptions.BlockSize))..].Clear();
        }
    }

    /// <summary>Writes blocks.</summary>
    public void Write(NativeSlab slab, List<int> frames, long first)
    {
        var offset = HeaderBytes + (first * ArgonOptions.BlockSize);
        var written = frames.Count == 1 ? 0 : Native.Transfer(_file, slab, frames, offset, write: true);
        for (var i = (int)(written / ArgonOptions.BlockSize); i < frames.Count; i++)
            RandomAccess.Write(_file, slab[frames[i]], offset + ((long)i * ArgonOptions.BlockSize));
    }

    /// <summary>Makes the written data and the length durable.</summary>
    public void Sync(long length)
    {
        if (length != _durableLength)
            WriteLength(length);
        Native.Sync(_file);
    }

    /// <summary>Makes a shorter length durable, then releases the disk space.</summary>
    public void Shorten(long length)
    {
        Sync(length);
        CutTo(HeaderBytes + RoundUp(length));
        ClearTail(length);
    }

    /// <summary>The owner of an object's file, and the bytes that the file takes.</summary>
    public static (UInt128 Owner, long Bytes) Look(string path)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var header = new byte[HeaderBytes];
        header = header[..RandomAccess.Read(file, header, 0)];
        var owner = UInt128.Zero;
        for (var slot = 0; slot + OwnerAt + 24 <= header.Length; slot += ArgonOptions.BlockSize)
            owner = OwnerOf(header.AsSpan(slot)) is var known && known != default ? known : owner;
        return (owner, RandomAccess.GetLength(file));
    }

    /// <summary>Releases the space beyond the durable length, before the file is closed.</summary>
    public void Trim() => CutTo(HeaderBytes + RoundUp(_durableLength));

    public void Dispose()
    {
        _file.Dispose();
        _header.Dispose();
    }

    private static long RoundUp(long bytes) => (bytes + ArgonOptions.BlockSize - 1) / ArgonOptions.BlockSize * ArgonOptions.BlockSize;

    private static SafeFileHandle Open(string path, bool create, bool buffered)
    {
        if (Native.OpenDirect(path, create) is { } file)
            return file;
        if (!buffered)
            throw new DirectIoException(System.IO.Path.GetDirectoryName(path)!, null);
        return File.OpenHandle(path, create ? FileMode.CreateNew : FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
    }

    // A file system in memory without a limit has the size 0.
    private static long FreeSpace(string path)
    {
        var drive = new DriveInfo(System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(path))!);
        return drive.TotalSize > 0 ? drive.AvailableFreeSpace : long.MaxValue;
    }

    private void CutTo(long end)
    {
        RandomAccess.SetLength(_file, end);
        _reserved = end;
    }

    private void ReserveTo(long end)
    {
        Native.Reserve(_file, _reserved, end);
        _reserved = end;
    }

    // Clears the bytes of the last block beyond a length, since they must read as zeros when the object grows again.
    private void ClearTail(long length)
    {
        var used = (int)(length % ArgonOptions.BlockSize);
        if (used == 0)
            return;
        var block = _header[0];
        var offset = HeaderBytes + length - used;
        if (RandomAccess.Read(_file, block, offset) <= used || !block[used..].ContainsAnyExcept((byte)0))
            return;
        block[used..].Clear();
        RandomAccess.Write(_file, block, offset);
    }

    private void WriteLength(long length)
    {
        var block = _header[0];
        block.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(block, Magic);
        BinaryPrimitives.WriteUInt64LittleEndian(block[8..], ++_sequence);
        BinaryPrimitives.WriteInt64LittleEndian(block[16..], length);
        BinaryPrimitives.WriteUInt64LittleEndian(block[24..], Checksum(block[..24]));
        BinaryPrimitives.WriteUInt128LittleEndian(block[OwnerAt..], Owner);
        BinaryPrimitives.WriteUInt64LittleEndian(block[(OwnerAt + 16)..], Checksum(block[OwnerAt..(OwnerAt + 16)]));
        RandomAccess.Write(_file, block, (long)(_sequence % 2) * ArgonOptions.BlockSize);
        _durableLength = length;
    }

    private void ReadLength()
    {
        var block = _header[0];
        for (var slot = 0; slot < 2; slot++)
        {
            if (RandomAccess.Read(_file, block, (long)slot * ArgonOptions.BlockSize) < ArgonOptions.BlockSize)
                break;
            if (BinaryPrimitives.ReadUInt64LittleEndian(block) != Magic || BinaryPrimitives.ReadUInt64LittleEndian(block[24..]) != Checksum(block[..24]))
                continue;
            var sequence = BinaryPrimitives.ReadUInt64LittleEndian(block[8..]);
            if (sequence <= _sequence)
                continue;
            _sequence = sequence;
            _durableLength = Length = BinaryPrimitives.ReadInt64LittleEndian(block[16..]);
            Owner = OwnerOf(block);
        }

        if (_sequence == 0)
            throw new LayoutMismatchException(Path, "it has no header of an object");
        _reserved = RandomAccess.GetLength(_file);
        if (_reserved < HeaderBytes + RoundUp(Length))
            throw new LayoutMismatchException(Path, "it is shorter than its header says");
        ClearTail(Length);
        if (_reserved == HeaderBytes + RoundUp(Length))
            return;
        Released = _reserved - HeaderBytes - RoundUp(Length);
        // Blocks beyond the durable length were written back but never flushed. They must read as zeros when the object grows, also after another crash.
        Trim();
        Native.Sync(_file);
    }

    private static UInt128 OwnerOf(ReadOnlySpan<byte> header)
    {
        var owner = header[OwnerAt..(OwnerAt + 16)];
        return BinaryPrimitives.ReadUInt64LittleEndian(header[(OwnerAt + 16)..]) == Checksum(owner) ? BinaryPrimitives.ReadUInt128LittleEndian(owner) : default;
    }

    // The hash FNV-1a.
    private static ulong Checksum(ReadOnlySpan<byte> bytes)
    {
        var hash = 14695981039346656037;
        foreach (var value in bytes)
            hash = unchecked((hash ^ value) * 1099511628211);
        return hash;
    }
}
