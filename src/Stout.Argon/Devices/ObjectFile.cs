using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Devices;

/// <summary>
/// One object's file: two header blocks with the length, which are written alternately, and then the data. A length is durable after the sync that
/// follows the write of its header. The size that the file system reports does not matter.
/// </summary>
internal sealed class ObjectFile : IDisposable
{
    public const int HeaderBytes = 2 * ArgonOptions.BlockSize;
    private const long ReserveStep = 1 << 20;
    private const ulong Magic = 0x4E4F475241545553;
    private readonly SafeFileHandle _file;
    private readonly NativeSlab _header = new(1, ArgonOptions.BlockSize);
    private readonly Lock _reserving = new();
    private ulong _sequence;
    private long _durableLength = -1;
    private long _reserved;

    private ObjectFile(string path, SafeFileHandle file) => (Path, _file) = (path, file);

    public string Path { get; }

    /// <summary>The length that the header had when the file was opened.</summary>
    public long Length { get; private set; }

    public static ObjectFile Create(string path, bool buffered)
    {
        var file = new ObjectFile(path, Open(path, create: true, buffered));
        file.WriteLength(0);
        Native.Sync(file._file);
        return file;
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

    /// <summary>Reserves space for the data up to <paramref name="end"/>.</summary>
    public void Reserve(long end)
    {
        lock (_reserving)
        {
            var needed = HeaderBytes + RoundUp(end);
            if (needed <= _reserved)
                return;
            var step = Math.Max(needed, _reserved + ReserveStep);
            try
            {
                ReserveTo(step);
            }
            catch (IOException error) when (error.HResult == Native.NoSpace && step > needed)
            {
                ReserveTo(needed);
            }
        }
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
        lock (_reserving)
        {
            RandomAccess.SetLength(_file, HeaderBytes + RoundUp(length));
            _reserved = HeaderBytes + RoundUp(length);
        }

        ClearTail(length);
    }

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
        }

        if (_sequence == 0)
            throw new LayoutMismatchException(Path, "it has no header of an object");
        _reserved = RandomAccess.GetLength(_file);
        if (_reserved < HeaderBytes + RoundUp(Length))
            throw new LayoutMismatchException(Path, "it is shorter than its header says");
        ClearTail(Length);
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
