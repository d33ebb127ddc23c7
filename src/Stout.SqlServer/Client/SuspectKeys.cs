using System.Collections.Concurrent;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Keys that stopped a request at their last attempt. They are sent apart from the others: a key that stays locked is tried again and again, and
/// would otherwise stop its neighbors each time.
/// </summary>
internal sealed class SuspectKeys
{
    /// <summary>Keys that never come again are forgotten with all others when so many have gathered.</summary>
    public const int Capacity = 1_024;

    private readonly ConcurrentDictionary<PartitionKey, bool> _keys = new();

    /// <summary>Whether the key stopped a request at its last attempt.</summary>
    public bool Contains(PartitionKey key) => !_keys.IsEmpty && _keys.ContainsKey(key);

    /// <summary>The key has stopped a request.</summary>
    public void Add(PartitionKey key)
    {
        if (_keys.Count >= Capacity)
            _keys.Clear();
        _keys[key] = true;
    }

    /// <summary>The key has passed.</summary>
    public void Remove(PartitionKey key) => _keys.TryRemove(key, out _);
}
