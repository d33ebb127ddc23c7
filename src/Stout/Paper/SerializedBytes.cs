using System.Buffers;

namespace Stout.Paper;

/// <summary>The bytes of one serialization batch, consecutive in a pooled array that grows.</summary>
internal sealed class SerializedBytes : IBufferWriter<byte>
{
    private const int SmallestArray = 4096;

    // Returning an empty array to the array pool is allowed, and has no effect.
    private byte[] _array = [];

    public int Length { get; private set; }

    /// <summary>Whether the callback has ended. A writer that the callback kept could otherwise move bytes that are being sent.</summary>
    public bool IsSealed { get; set; }

    public ReadOnlyMemory<byte> Slice(int start, int length) => _array.AsMemory(start, length);

    public void Advance(int count)
    {
        CheckNotSealed();
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _array.Length - Length);
        Length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsSpan(Length);
    }

    /// <summary>Returns the array to the pool. Slices of it must no longer be used.</summary>
    public void Clear()
    {
        ArrayPool<byte>.Shared.Return(_array);
        _array = [];
        Length = 0;
        IsSealed = false;
    }

    private void MakeRoom(int sizeHint)
    {
        CheckNotSealed();
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        var needed = (long)Length + Math.Max(sizeHint, 1);
        if (needed <= _array.Length)
            return;
        var size = Math.Max(SmallestArray, Math.Max(needed, Math.Min(2L * _array.Length, Array.MaxLength)));
        var larger = ArrayPool<byte>.Shared.Rent(checked((int)size));
        _array.AsSpan(0, Length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_array);
        _array = larger;
    }

    private void CheckNotSealed()
    {
        if (IsSealed)
            throw new InvalidOperationException("The Serialize callback is over: its parts can no longer be written.");
    }
}
