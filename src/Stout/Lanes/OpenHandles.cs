using System.Diagnostics.CodeAnalysis;

namespace Stout.Lanes;

/// <summary>
/// A lane's open keys, one handle for each. A set that is asked by key: a dictionary would keep every key a second time. It gives
/// memory back as handles go, since a key without an open one is to cost nothing.
/// </summary>
internal sealed class OpenHandles
{
    private const int SmallestToShrink = 1024;

    private readonly HashSet<KeyHandle> _handles = new(new ByKey());
    private readonly HashSet<KeyHandle>.AlternateLookup<PartitionKey> _byKey;

    public OpenHandles() => _byKey = _handles.GetAlternateLookup<PartitionKey>();

    public int Count => _handles.Count;

    /// <summary>For how many there is room.</summary>
    public int Capacity => _handles.Capacity;

    public KeyHandle? Find(PartitionKey key) => _byKey.TryGetValue(key, out var handle) ? handle : null;

    /// <summary>Adds the handle of a key that has none.</summary>
    public void Add(KeyHandle handle) => _handles.Add(handle);

    /// <summary>Removes a handle that was added.</summary>
    public void Remove(KeyHandle handle)
    {
        _handles.Remove(handle);
        // With room for as many again: so each shrinking and growing is paid for by as many removals and additions.
        if (_handles.Capacity > SmallestToShrink && _handles.Count < _handles.Capacity / 4)
            _handles.TrimExcess(_handles.Count * 2);
    }

    /// <summary>The handles as they are now.</summary>
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
