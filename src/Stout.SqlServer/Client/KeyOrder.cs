using System.Buffers;

namespace Stout.SqlServer.Client;

/// <summary>
/// The keys of a statement in stored form, sorted. Statements on the same rows lock them in the same order, which avoids deadlocks.
/// </summary>
internal sealed class KeyOrder : IDisposable
{
    private readonly byte[] _bytes;
    private readonly Entry[] _entries;

    /// <param name="capacity">The most keys.</param>
    public KeyOrder(int capacity)
    {
        _bytes = ArrayPool<byte>.Shared.Rent(capacity * StoredKey.MaxKeyBytes);
        _entries = ArrayPool<Entry>.Shared.Rent(capacity);
    }

    /// <summary>Some keys of a batch, sorted.</summary>
    /// <param name="indexes">The keys' batch indexes.</param>
    /// <param name="keyOf">Returns a key by its batch index.</param>
    public static KeyOrder Of(IReadOnlyList<int> indexes, Func<int, PartitionKey> keyOf)
    {
        var keys = new KeyOrder(indexes.Count);
        for (var i = 0; i < indexes.Count; i++)
            keys.Add(indexes[i], keyOf(indexes[i]));
        keys.Sort();
        return keys;
    }

    /// <summary>The number of keys.</summary>
    public int Count { get; private set; }

    /// <summary>The batch index of the key at a position.</summary>
    public int IndexAt(int place) => _entries[place].Index;

    /// <summary>The stored key at a position.</summary>
    public ReadOnlySpan<byte> BytesOf(int place) => BytesOf(_entries[place]);

    /// <summary>Adds a key.</summary>
    /// <param name="index">The key's batch index.</param>
    /// <param name="key">The key.</param>
    public void Add(int index, PartitionKey key)
    {
        var start = Count * StoredKey.MaxKeyBytes;
        _entries[Count++] = new Entry(index, start, StoredKey.Write(key, _bytes.AsSpan(start, StoredKey.MaxKeyBytes)));
    }

    /// <summary>Adds a key in its stored form.</summary>
    /// <param name="index">The key's batch index.</param>
    /// <param name="stored">The stored key.</param>
    public void Add(int index, ReadOnlySpan<byte> stored)
    {
        var start = Count * StoredKey.MaxKeyBytes;
        stored.CopyTo(_bytes.AsSpan(start, StoredKey.MaxKeyBytes));
        _entries[Count++] = new Entry(index, start, stored.Length);
    }

    /// <summary>Sorts the keys after all have been added.</summary>
    public void Sort() => _entries.AsSpan(0, Count).Sort((left, right) => BytesOf(left).SequenceCompareTo(BytesOf(right)));

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<Entry>.Shared.Return(_entries);
    }

    private ReadOnlySpan<byte> BytesOf(in Entry entry) => _bytes.AsSpan(entry.Start, entry.Length);

    private readonly record struct Entry(int Index, int Start, int Length);
}
