namespace Stout.Storage;

/// <summary>
/// The keys of a store partition whose last attempt failed alone. These keys are sent in requests of their own, so that they do not make the requests of
/// other keys fail each time.
/// </summary>
public sealed class SuspectKeys
{
    /// <summary>
    /// The most keys that are remembered. A full set is cleared, since keys that are never written again would fill it. A failing key then costs the other
    /// keys of its request one more attempt.
    /// </summary>
    public const int Capacity = 256;

    private readonly Lock _lock = new();
    private readonly HashSet<PartitionKey> _keys = [];
    private volatile bool _any;

    /// <summary>Whether the set has any key. The property only reads a flag, without a lock.</summary>
    public bool Any => _any;

    /// <summary>Whether the key's last attempt failed alone.</summary>
    public bool Contains(PartitionKey key)
    {
        if (!_any)
            return false;
        lock (_lock)
            return _keys.Contains(key);
    }

    /// <summary>Adds a key that failed alone.</summary>
    public void Add(PartitionKey key)
    {
        lock (_lock)
        {
            if (_keys.Count >= Capacity)
                _keys.Clear();
            _keys.Add(key);
            _any = true;
        }
    }

    /// <summary>Removes a key that succeeded.</summary>
    public void Remove(PartitionKey key)
    {
        if (!_any)
            return;
        lock (_lock)
        {
            _keys.Remove(key);
            _any = _keys.Count > 0;
        }
    }
}
