using System.Buffers;
using Azure.Core;

namespace Stout.AzureTables.Transactions;

/// <summary>A request's body in pooled memory.</summary>
/// <remarks>
/// The client of an abandoned request, or of one answered early, may still be reading the body. Returning that memory to the pool could send another
/// request's bytes under this one's name. Memory that is being read is therefore left to the garbage collector.
/// </remarks>
internal sealed class PooledContent : RequestContent, IBufferWriter<byte>
{
    private const int Closed = -1;

    private byte[] _memory = ArrayPool<byte>.Shared.Rent(4_096);
    private int _readings;

    /// <summary>The bytes written so far.</summary>
    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Written => _memory.AsMemory(0, Length);

    public void Advance(int count) => Length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _memory.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public override bool TryComputeLength(out long length)
    {
        length = Length;
        return true;
    }

    public override void WriteTo(Stream stream, CancellationToken cancellation)
    {
        BeginReading();
        stream.Write(_memory, 0, Length);
        EndReading();
    }

    public override async Task WriteToAsync(Stream stream, CancellationToken cancellation)
    {
        BeginReading();
        await stream.WriteAsync(Written, cancellation).ConfigureAwait(false);
        EndReading();
    }

    public override void Dispose()
    {
        if (Interlocked.CompareExchange(ref _readings, Closed, 0) != 0)
            return;
        ArrayPool<byte>.Shared.Return(_memory);
        _memory = [];
    }

    private void BeginReading()
    {
        int readings;
        do
        {
            readings = Volatile.Read(ref _readings);
            ObjectDisposedException.ThrowIf(readings == Closed, this);
        }
        while (Interlocked.CompareExchange(ref _readings, readings + 1, readings) != readings);
    }

    // A read that throws does not get here, so the memory never returns to the pool: the stream may have kept it.
    private void EndReading() => Interlocked.Decrement(ref _readings);

    private void MakeRoom(int size)
    {
        size = Math.Max(size, 256);
        if (_memory.Length - Length >= size)
            return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(Length + size, 2 * _memory.Length));
        Written.CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_memory);
        _memory = larger;
    }
}
