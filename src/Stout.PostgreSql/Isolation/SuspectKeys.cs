using Stout.Storage;

namespace Stout.PostgreSql.Isolation;

/// <summary>
/// Keys that the server refused lately. Later requests send them apart from the others, so that a key which goes on being refused does not
/// roll its neighbors back each time.
/// </summary>
internal sealed class SuspectKeys
{
    // Bounds the memory, and the keys that a request sends apart. Beyond it a refused key costs its neighbors another attempt.
    private const int Most = 256;

    private readonly Lock _lock = new();
    private readonly HashSet<PartitionKey> _keys = [];
    private volatile bool _any;

    /// <summary>Whether there is a suspect. Costs a look at a flag.</summary>
    public bool Any => _any;

    public bool Contains(PartitionKey key)
    {
        lock (_lock)
            return _keys.Contains(key);
    }

    public void Add(PartitionKey key)
    {
        lock (_lock)
        {
            if (_keys.Count < Most)
                _keys.Add(key);
            _any = _keys.Count > 0;
        }
    }

    public void Remove(PartitionKey key)
    {
        lock (_lock)
        {
            _keys.Remove(key);
            _any = _keys.Count > 0;
        }
    }
}
