using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>
/// A service's handle on an object: bytes with random access. A write is visible when it returns, and durable when a later flush returns.
/// </summary>
public sealed class ArgonObject
{
    private const int Block = ArgonOptions.BlockSize;
    private readonly ArgonServer _server;
    private readonly ObjectState _target;

    internal ArgonObject(ArgonServer server, ArgonService service, ObjectState target) => (_server, Service, _target) = (server, service, target);

    /// <summary>The service that is charged for the requests of this handle.</summary>
    public ArgonService Service { get; }

    /// <summary>The length in bytes.</summary>
    public long Length => _server.LengthOf(_target);

    /// <summary>Reads bytes.</summary>
    /// <param name="offset">The position of the first byte; not negative.</param>
    /// <param name="buffer">Takes the bytes.</param>
    /// <returns>The number of bytes read: fewer than requested at the object's end, 0 beyond it.</returns>
    /// <exception cref="DiskReadException">The disk failed.</exception>
    public int Read(long offset, Span<byte> buffer)
    {
        var length = Clamp(offset, buffer.Length);
        for (var done = 0; done < length;)
        {
            var piece = Piece(offset + done, length - done);
            var (request, waits) = AskRead(piece, blocking: true);
            waits?.Wait();
            CopyOut(request, piece, buffer.Slice(done, piece.Bytes));
            done += piece.Bytes;
        }

        return length;
    }

    /// <summary>Reads bytes.</summary>
    /// <param name="offset">The position of the first byte; not negative.</param>
    /// <param name="buffer">Takes the bytes.</param>
    /// <param name="cancellationToken">Ends the read between two pieces of 128 KiB.</param>
    /// <returns>The number of bytes read: fewer than requested at the object's end, 0 beyond it.</returns>
    /// <exception cref="DiskReadException">The disk failed.</exception>
    public async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var length = Clamp(offset, buffer.Length);
        for (var done = 0; done < length;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var piece = Piece(offset + done, length - done);
            var (request, waits) = AskRead(piece, blocking: false);
            if (waits is not null)
                await waits.Task.ConfigureAwait(false);
            CopyOut(request, piece, buffer.Span.Slice(done, piece.Bytes));
            done += piece.Bytes;
        }

        return length;
    }

    /// <summary>Writes bytes into the cache. Space on the disk is reserved first.</summary>
    /// <param name="offset">The position of the first byte; not negative. A gap beyond the end reads as zeros.</param>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    /// <exception cref="ObjectBrokenException">An earlier write to the disk failed.</exception>
    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        Reserve(offset, bytes.Length);
        for (var done = 0; done < bytes.Length;)
        {
            var piece = Piece(offset + done, bytes.Length - done);
            var (request, waits) = AskWrite(piece, blocking: true);
            waits?.Wait();
            CopyIn(request, piece, bytes.Slice(done, piece.Bytes));
            done += piece.Bytes;
        }
    }

    /// <summary>Writes bytes into the cache. Space on the disk is reserved first.</summary>
    /// <param name="offset">The position of the first byte; not negative. A gap beyond the end reads as zeros.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="cancellationToken">Ends the write between two pieces of 128 KiB; the pieces before stay written.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    /// <exception cref="ObjectBrokenException">An earlier write to the disk failed.</exception>
    public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken = default)
    {
        Reserve(offset, bytes.Length);
        for (var done = 0; done < bytes.Length;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var piece = Piece(offset + done, bytes.Length - done);
            var (request, waits) = AskWrite(piece, blocking: false);
            if (waits is not null)
                await waits.Task.ConfigureAwait(false);
            CopyIn(request, piece, bytes.Span.Slice(done, piece.Bytes));
            done += piece.Bytes;
        }
    }

    /// <summary>
    /// Returns when all earlier writes to the object, by any service, and the object's length are on the disk. Returns at once if
    /// <see cref="ArgonOptions.MemoryHasBattery"/> is set.
    /// </summary>
    /// <exception cref="ObjectBrokenException">A write to the disk failed. Every later flush fails too, until the object is opened again.</exception>
    public void Flush()
    {
        if (_server.Options.MemoryHasBattery)
            return;
        var (request, waits) = AskFlush(blocking: true);
        waits?.Wait();
        End(request);
    }

    /// <inheritdoc cref="Flush"/>
    public async ValueTask FlushAsync()
    {
        if (_server.Options.MemoryHasBattery)
            return;
        var (request, waits) = AskFlush(blocking: false);
        if (waits is not null)
            await waits.Task.ConfigureAwait(false);
        End(request);
    }

    /// <summary>Sets the length. A longer length is durable after the next flush, a shorter one when this call returns.</summary>
    /// <param name="length">The length in bytes; not negative.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    public void Resize(long length)
    {
        Reserve(length, 0);
        var (request, waits) = _server.Ask(static (core, what, now) => core.Resize(what.State, what._target, what.length, now), (Service.State, _target, length), blocking: true);
        waits?.Wait();
        if (request.Error is null)
            ClearTail(length);
        End(request);
    }

    private (Request Request, Completion? Waits) AskRead(ObjectPiece piece, bool blocking) => _server.Ask(
        static (core, what, now) => core.Read(what.State, what._target, what.piece.First, what.piece.Count, now), (Service.State, _target, piece), blocking);

    private (Request Request, Completion? Waits) AskWrite(ObjectPiece piece, bool blocking) => _server.Ask(
        static (core, what, now) => core.Write(what.State, what._target, what.piece.First, what.piece.Count, what.piece.PartialFirst, what.piece.PartialLast, what.piece.End, now),
        (Service.State, _target, piece),
        blocking);

    private (Request Request, Completion? Waits) AskFlush(bool blocking) => _server.Ask(
        static (core, what, now) => core.Flush(what.State, what._target, now), (Service.State, _target), blocking);

    private void CopyOut(Request request, ObjectPiece piece, Span<byte> buffer)
    {
        if (request.Error is null)
        {
            for (var i = 0; i < piece.Count; i++)
            {
                var (from, to) = piece.Within(i);
                _server.Slab[request.Frames[i]][from..to].CopyTo(buffer[piece.Before(i)..]);
            }
        }

        End(request);
    }

    private void CopyIn(Request request, ObjectPiece piece, ReadOnlySpan<byte> bytes)
    {
        if (request.Error is null)
        {
            for (var i = 0; i < piece.Count; i++)
            {
                var (from, to) = piece.Within(i);
                var block = _server.Slab[request.Frames[i]];
                if ((request.Fresh & (1u << i)) != 0)
                {
                    block[..from].Clear();
                    block[to..].Clear();
                }

                bytes.Slice(piece.Before(i), to - from).CopyTo(block[from..]);
            }
        }

        End(request);
    }

    // Clears the bytes beyond the new length in the cached last block, since they must read as zeros when the object grows again. No other request uses the
    // block meanwhile, since the resize excludes all other requests of the object until it is released.
    private void ClearTail(long length)
    {
        if (length % Block == 0)
            return;
        var frame = _server.Look(core => core.FrameOf(_target.Id, length / Block));
        if (frame >= 0)
            _server.Slab[frame][(int)(length % Block)..].Clear();
    }

    private void End(Request request)
    {
        var error = request.Error;
        _server.Release(request);
        if (error is ObjectBrokenException broken)
            throw new ObjectBrokenException(broken.InnerException!);
        if (error is DiskReadException unread)
            throw new DiskReadException(unread.InnerException!);
        if (error is not null)
            throw new DiskReadException(error);
    }

    private int Clamp(long offset, int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return (int)Math.Clamp(Length - offset, 0, bytes);
    }

    private void Reserve(long offset, int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, ObjectPiece.MaxLength - bytes);
        try
        {
            ((ObjectFile)_target.Tag!).Reserve(offset + bytes);
        }
        catch (IOException error) when (error.HResult == Native.NoSpace)
        {
            throw new DiskFullException(error);
        }
    }

    private static ObjectPiece Piece(long offset, int bytes) => ObjectPiece.Of(offset, bytes);
}
