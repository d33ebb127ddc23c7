using System.Buffers;

namespace Stout.SqlServer.Client;

/// <summary>
/// The keys of a batch as they are stored, in their order: two batches that touch the same rows lock them in the same order, so they do
/// not wait for each other in a circle.
/// </summary>
internal sealed class KeyOrder : IDisposable
{
    private readonly byte[] _bytes;
    private readonly Entry[] _entries;
    private int _suspects;

    /// <param name="capacity">How many keys there are at most.</param>
    public KeyOrder(int capacity)
    {
        _bytes = ArrayPool<byte>.Shared.Rent(capacity * StoredKey.MaxKeyBytes);
        _entries = ArrayPool<Entry>.Shared.Rent(capacity);
    }

    /// <summary>The number of keys.</summary>
    public int Count { get; private set; }

    /// <summary>The keys that are no suspects.</summary>
    public KeyRange Healthy => new(this, 0, Count - _suspects);

    /// <summary>The suspects; behind the other keys.</summary>
    public KeyRange Suspects => new(this, Count - _suspects, _suspects);

    /// <summary>Which key of the batch stands at a place of the order.</summary>
    public int IndexAt(int place) => _entries[place].Index;

    /// <summary>The stored key at a place of the order.</summary>
    public ReadOnlySpan<byte> BytesOf(int place) => BytesOf(_entries[place]);

    /// <summary>Adds a key.</summary>
    /// <param name="index">Its place in the batch.</param>
    /// <param name="key">The key.</param>
    /// <param name="isSuspect">Whether it is one of the <see cref="Suspects"/>.</param>
    public void Add(int index, PartitionKey key, bool isSuspect = false)
    {
        var start = Count * StoredKey.MaxKeyBytes;
        _suspects += isSuspect ? 1 : 0;
        _entries[Count++] = new Entry(isSuspect, index, start, StoredKey.Write(key.Text, _bytes.AsSpan(start, StoredKey.MaxKeyBytes)));
    }

    /// <summary>Adds a key in its stored form.</summary>
    /// <param name="index">Its place in the batch.</param>
    /// <param name="stored">The stored key.</param>
    public void Add(int index, ReadOnlySpan<byte> stored)
    {
        var start = Count * StoredKey.MaxKeyBytes;
        stored.CopyTo(_bytes.AsSpan(start, StoredKey.MaxKeyBytes));
        _entries[Count++] = new Entry(IsSuspect: false, index, start, stored.Length);
    }

    /// <summary>Forgets the keys.</summary>
    public void Clear() => (Count, _suspects) = (0, 0);

    /// <summary>Puts the keys in order, once all have been added.</summary>
    public void Sort() => _entries.AsSpan(0, Count).Sort((left, right) =>
        left.IsSuspect != right.IsSuspect ? left.IsSuspect.CompareTo(right.IsSuspect) : BytesOf(left).SequenceCompareTo(BytesOf(right)));

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<Entry>.Shared.Return(_entries);
    }

    private ReadOnlySpan<byte> BytesOf(in Entry entry) => _bytes.AsSpan(entry.Start, entry.Length);

    private readonly record struct Entry(bool IsSuspect, int Index, int Start, int Length);
}
