using System.Diagnostics.CodeAnalysis;

namespace Stout.Lanes.Core;

/// <summary>
/// The lane's open handles, looked up by key. A set of handles, since a dictionary would store every key twice. It shrinks as handles close, so a
/// closed key costs nothing.
/// </summary>
internal sealed class OpenHandles
{
    private const int SmallestToShrink = 1024;

    private readonly HashSet<KeyHandle> _handles = new(new ByKey());
    private readonly HashSet<KeyHandle>.AlternateLookup<PartitionKey> _byKey;

    public OpenHandles() => _byKey = _handles.GetAlternateLookup<PartitionKey>();

    public int Count => _handles.Count;

    /// <summary>The current capacity.</summary>
    public int Capacity => _handles.Capacity;

    public KeyHandle? Find(PartitionKey key) => _byKey.TryGetValue(key, out var handle) ? handle : null;

    /// <summary>Adds the handle of a key without an open handle.</summary>
    public void Add(KeyHandle handle) => _handles.Add(handle);

    /// <summary>Removes a handle that was added.</summary>
    public void Remove(KeyHandle handle)
    {
        _handles.Remove(handle);
        // Shrinks to twice the count, so that many additions or removals lie between two resizes.
        if (_handles.Capacity > SmallestToShrink && _handles.Count < _handles.Capacity / 4)
            _handles.TrimExcess(_handles.Count * 2);
    }

    /// <summary>A snapshot of the open handles.</summary>
    public KeyHandle[] ToArray() => [.. _handles];

    private sealed class ByKey : IEqualityComparer<KeyHandle>, IAlternateEqualityComparer<PartitionKey, KeyHandle>
    {
        public bool Equals(KeyHandle? one, KeyHandle? other) => one?.Key == other?.Key;

        public int GetHashCode([DisallowNull] KeyHandle handle) => handle.Key.GetHashCode();

        public bool Equals(PartitionKey key, KeyHandle handle) => handle.Key == key;

        public int GetHashCode(PartitionKey key) => key.GetHashCode();

        public KeyHandle Create(PartitionKey key) => throw new NotSupportedException("A handle belongs to a fill.");
    }
}
