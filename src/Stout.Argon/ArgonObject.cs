using System.Runtime.InteropServices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>
/// A service's handle on an object: bytes with random access. A write is visible when it returns, and durable when a later flush returns. The disposal of the
/// last handle flushes the object, and releases its file and its cached blocks.
/// </summary>
public sealed class ArgonObject : IAsyncDisposable
{
    private readonly ArgonServer _server;
    private readonly DiskFolder _folder;
    private readonly ObjectState _target;
    private readonly Lock _gate = new();
    private Task? _disposal;
    private volatile bool _closed;

    internal ArgonObject(ArgonServer server, ArgonService service, DiskFolder folder, string name, ObjectState target)
    {
        (_server, Service, _folder, Name, _target) = (server, service, folder, name, target);
        service.Add(this);
    }

    /// <summary>The service that is charged for the requests of this handle.</summary>
    public ArgonService Service { get; }

    /// <summary>The object's name.</summary>
    public string Name { get; }

    /// <summary>The length in bytes; after the object's end, its last length.</summary>
    public long Length => _server.LengthOf(_target);

    internal ObjectState Target => _target;

    /// <summary>Reads bytes.</summary>
    /// <param name="offset">The position of the first byte; not negative.</param>
    /// <param name="buffer">Takes the bytes.</param>
    /// <returns>The number of bytes read: fewer than requested at the object's end, 0 beyond it.</returns>
    /// <exception cref="DiskReadException">The disk failed.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
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
    /// <param name="cancellationToken">Ends the read, also while the disk works for it. The buffer then has a part of the bytes.</param>
    /// <returns>The number of bytes read: fewer than requested at the object's end, 0 beyond it.</returns>
    /// <exception cref="DiskReadException">The disk failed.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
    public async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var length = Clamp(offset, buffer.Length);
        for (var done = 0; done < length;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var piece = Piece(offset + done, length - done);
            var (request, waits) = AskRead(piece, blocking: false);
            if (waits is not null)
                await waits.WaitAsync(cancellationToken).ConfigureAwait(false);
            CopyOut(request, piece, SpanOf(request, buffer).Slice(done, piece.Bytes));
            done += piece.Bytes;
        }

        return length;
    }

    /// <summary>Writes bytes into the cache. Space on the disk is reserved first.</summary>
    /// <param name="offset">The position of the first byte; not negative. A gap beyond the end reads as zeros, and takes space.</param>
    /// <param name="bytes">The bytes.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    /// <exception cref="QuotaExceededException">The object's creator has a quota, which would be exceeded; nothing was changed.</exception>
    /// <exception cref="ObjectBrokenException">An earlier write to the disk failed.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        var done = 0;
        do
        {
            if (NeedsSpace(offset, bytes.Length))
                Reserve(offset + bytes.Length);
            while (done < bytes.Length)
            {
                var piece = Piece(offset + done, bytes.Length - done);
                var (request, waits) = AskWrite(piece, blocking: true);
                waits?.Wait();
                if (!CopyIn(request, piece, bytes.Slice(done, piece.Bytes)))
                    break;
                done += piece.Bytes;
            }
        }
        while (done < bytes.Length);
    }

    /// <summary>Writes bytes into the cache. Space on the disk is reserved first.</summary>
    /// <param name="offset">The position of the first byte; not negative. A gap beyond the end reads as zeros, and takes space.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="cancellationToken">Ends the write, also while the disk works for it. Pieces of 128 KiB that were written before stay written.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    /// <exception cref="QuotaExceededException">The object's creator has a quota, which would be exceeded; nothing was changed.</exception>
    /// <exception cref="ObjectBrokenException">An earlier write to the disk failed.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
    public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var done = 0;
        do
        {
            if (NeedsSpace(offset, bytes.Length))
                await ReserveAsync(offset + bytes.Length, cancellationToken).ConfigureAwait(false);
            while (done < bytes.Length)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var piece = Piece(offset + done, bytes.Length - done);
                var (request, waits) = AskWrite(piece, blocking: false);
                if (waits is not null)
                    await waits.WaitAsync(cancellationToken).ConfigureAwait(false);
                if (!CopyIn(request, piece, SpanOf(request, bytes).Slice(done, piece.Bytes)))
                    break;
                done += piece.Bytes;
            }
        }
        while (done < bytes.Length);
    }

    /// <summary>
    /// Returns when all earlier writes to the object, by any service, and the object's length are on the disk. Returns at once if
    /// <see cref="ArgonOptions.MemoryHasBattery"/> is set.
    /// </summary>
    /// <exception cref="ObjectBrokenException">A write to the disk failed. Every later flush fails too, until the object is opened again.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
    public void Flush()
    {
        ThrowIfClosed();
        if (_server.MemoryHasBattery)
            return;
        var (request, waits) = AskFlush(blocking: true);
        waits?.Wait();
        _server.End(request);
    }

    /// <inheritdoc cref="Flush"/>
    /// <param name="cancellationToken">Ends the wait; the disk may still complete the flush.</param>
    public async ValueTask FlushAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfClosed();
        cancellationToken.ThrowIfCancellationRequested();
        if (_server.MemoryHasBattery)
            return;
        var (request, waits) = AskFlush(blocking: false);
        await _server.EndAsync(request, waits, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sets the length. A longer length is durable after the next flush, a shorter one when this call returns.</summary>
    /// <param name="length">The length in bytes; not negative.</param>
    /// <exception cref="DiskFullException">The disk has no space; nothing was changed.</exception>
    /// <exception cref="QuotaExceededException">The object's creator has a quota, which would be exceeded; nothing was changed.</exception>
    /// <exception cref="ObjectBrokenException">A write to the disk failed.</exception>
    /// <exception cref="ObjectDeletedException">The object was deleted.</exception>
    public void Resize(long length)
    {
        Request request;
        do
        {
            if (NeedsSpace(length, 0))
                Reserve(length);
            (request, var waits) = AskResize(length, blocking: true);
            waits?.Wait();
        }
        while (!EndResize(request));
    }

    /// <inheritdoc cref="Resize"/>
    /// <param name="length">The length in bytes; not negative.</param>
    /// <param name="cancellationToken">Ends the wait; a canceled call may have changed the length.</param>
    public async ValueTask ResizeAsync(long length, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Request request;
        do
        {
            if (NeedsSpace(length, 0))
                await ReserveAsync(length, cancellationToken).ConfigureAwait(false);
            (request, var waits) = AskResize(length, blocking: false);
            if (waits is not null)
                await waits.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        while (!EndResize(request));
    }

    /// <summary>
    /// Closes the handle; its later calls fail. The last handle of an object flushes it, releases the space beyond its end, and closes its file.
    /// </summary>
    /// <exception cref="ObjectBrokenException">The flush failed. The handle is closed all the same.</exception>
    /// <exception cref="DiskStuckException">The disk has not answered a request for <see cref="ArgonOptions.IoTimeLimit"/>. The handle is closed; the flush
    /// continues if the disk answers.</exception>
    public ValueTask DisposeAsync()
    {
        lock (_gate)
            return new ValueTask(_disposal ??= CloseAsync());
    }

    private async Task CloseAsync()
    {
        _closed = true;
        try
        {
            await _server.AnsweredAsync(_folder.CloseAsync(this), _target.Disk).ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The server has been disposed, which has flushed the object and closed its file.
        }
        finally
        {
            Service.Remove(this);
        }
    }

    private (Request Request, Completion? Waits) AskRead(ObjectPiece piece, bool blocking) => _server.Ask(
        static (core, what, now) => core.Read(what.State, what._target, what.piece.First, what.piece.Count, now), (Service.State, _target, piece), blocking);

    private (Request Request, Completion? Waits) AskWrite(ObjectPiece piece, bool blocking) => _server.Ask(
        static (core, what, now) => core.Write(what.State, what._target, what.piece.First, what.piece.Count, what.piece.PartialFirst, what.piece.PartialLast, what.piece.End, now),
        (Service.State, _target, piece),
        blocking);

    private (Request Request, Completion? Waits) AskFlush(bool blocking) => _server.Ask(
        static (core, what, now) => core.Flush(what.State, what._target, now), (Service.State, _target), blocking);

    private (Request Request, Completion? Waits) AskSpace(long end, bool blocking) => _server.Ask(
        static (core, what, now) => core.Allocate(what.State, what._target, what.end, now), (Service.State, _target, end), blocking);

    private (Request Request, Completion? Waits) AskResize(long length, bool blocking) => _server.Ask(
        static (core, what, now) => core.Resize(what.State, what._target, what.length, now), (Service.State, _target, length), blocking);

    private void Reserve(long end)
    {
        var (request, waits) = AskSpace(end, blocking: true);
        waits?.Wait();
        _server.End(request);
    }

    private ValueTask ReserveAsync(long end, CancellationToken cancellationToken)
    {
        var (request, waits) = AskSpace(end, blocking: false);
        return _server.EndAsync(request, waits, cancellationToken);
    }

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

        _server.End(request);
    }

    // False if another resize has taken the reserved space, so that the request has to be repeated.
    private bool EndResize(Request request)
    {
        if (LacksSpace(request))
            return false;
        _server.End(request);
        return true;
    }

    private bool LacksSpace(Request request)
    {
        var lacks = ReferenceEquals(request.Error, ArgonCore.NoReservation);
        if (lacks)
            _server.Release(request);
        return lacks;
    }

    // False if a resize has taken the reserved space, so that the write has to be repeated.
    private bool CopyIn(Request request, ObjectPiece piece, ReadOnlySpan<byte> bytes)
    {
        if (LacksSpace(request))
            return false;
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

        _server.End(request);
        return true;
    }

    // A caller's memory may belong to a manager that throws. Then the request is released before any byte has been copied.
    private Span<byte> SpanOf(Request request, Memory<byte> memory)
    {
        try
        {
            return memory.Span;
        }
        catch (Exception error)
        {
            request.Error ??= error;
            _server.Release(request);
            throw;
        }
    }

    private ReadOnlySpan<byte> SpanOf(Request request, ReadOnlyMemory<byte> memory) => SpanOf(request, MemoryMarshal.AsMemory(memory));

    private int Clamp(long offset, int bytes)
    {
        ThrowIfClosed();
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        return (int)Math.Clamp(Length - offset, 0, bytes);
    }

    private bool NeedsSpace(long offset, int bytes)
    {
        ThrowIfClosed();
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, ObjectPiece.MaxLength - bytes);
        return !_server.HasSpace(_target, offset + bytes);
    }

    private void ThrowIfClosed() => ObjectDisposedException.ThrowIf(_closed, this);

    private static ObjectPiece Piece(long offset, int bytes) => ObjectPiece.Of(offset, bytes);
}
