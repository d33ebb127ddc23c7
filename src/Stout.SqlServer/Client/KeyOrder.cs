using System.Buffers;

namespace Stout.SqlServer.Client;

/// <summary>
/// The keys of a batch as they are stored, in their order: two batches that touch the same rows do it in the same order, and do
/// not wait for each other in a circle.
/// </summary>
internal sealed class KeyOrder : IDisposable
{
    private readonly byte[] _bytes;
    private readonly Entry[] _entries;

    /// <param name="capacity">How many keys there are at most.</param>
    public KeyOrder(int capacity)
    {
        _bytes = ArrayPool<byte>.Shared.Rent(capacity * StoredKey.MaxKeyBytes);
        _entries = ArrayPool<Entry>.Shared.Rent(capacity);
    }

    /// <summary>The number of keys.</summary>
    public int Count { get; private set; }

    /// <summary>The memory that <see cref="Entry.Start"/> and <see cref="Entry.Length"/> speak of.</summary>
    public byte[] Bytes => _bytes;

    /// <summary>One key, by its place in the order.</summary>
    public Entry this[int place] => _entries[place];

    /// <summary>Adds a key.</summary>
    /// <param name="index">Its place in the batch.</param>
    /// <param name="key">The key.</param>
    public void Add(int index, PartitionKey key)
    {
        var start = Count * StoredKey.MaxKeyBytes;
        _entries[Count++] = new Entry(index, start, StoredKey.Write(key.Text, _bytes.AsSpan(start, StoredKey.MaxKeyBytes)));
    }

    /// <summary>Puts the keys in order, once all have been added.</summary>
    public void Sort() => _entries.AsSpan(0, Count).Sort(
        (left, right) => _bytes.AsSpan(left.Start, left.Length).SequenceCompareTo(_bytes.AsSpan(right.Start, right.Length)));

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<Entry>.Shared.Return(_entries);
    }

    /// <param name="Index">The key's place in the batch.</param>
    /// <param name="Start">Where its bytes begin.</param>
    /// <param name="Length">How many they are.</param>
    internal readonly record struct Entry(int Index, int Start, int Length);
}
