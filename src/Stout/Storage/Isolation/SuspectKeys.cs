namespace Stout.Storage;

/// <summary>
/// Keys of a store partition that failed alone at their last attempt, for proxies. Requests send them apart from the others, so that a key which
/// goes on failing does not stop its neighbors each time.
/// </summary>
public sealed class SuspectKeys
{
    /// <summary>
    /// The most keys that are remembered. Beyond it all are forgotten, since keys that never come again would fill the set; a key that
    /// goes on failing then costs its neighbors another attempt.
    /// </summary>
    public const int Capacity = 256;

    private readonly Lock _lock = new();
    private readonly HashSet<PartitionKey> _keys = [];
    private volatile bool _any;

    /// <summary>Whether there is a suspect. Costs a look at a flag.</summary>
    public bool Any => _any;

    /// <summary>Whether a key failed alone at its last attempt.</summary>
    public bool Contains(PartitionKey key)
    {
        if (!_any)
            return false;
        lock (_lock)
            return _keys.Contains(key);
    }

    /// <summary>Adds a key that has failed alone.</summary>
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

    /// <summary>Removes a key that has passed.</summary>
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
