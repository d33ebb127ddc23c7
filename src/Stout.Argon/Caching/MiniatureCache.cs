namespace Stout.Argon.Caching;

/// <summary>A simulated write-back cache of one size, with the policy and the blocks' keys but without bytes.</summary>
internal sealed class MiniatureCache
{
    private readonly Dictionary<long, int> _map;
    private readonly NodeLinks _links;
    private readonly EvictionPolicy _policy;
    private readonly long[] _keys;
    private readonly int[] _written;
    private int _used;

    /// <param name="kind">The policy.</param>
    /// <param name="size">The number of blocks; at least 1.</param>
    public MiniatureCache(EvictionKind kind, int size)
    {
        _links = new NodeLinks(size);
        _policy = EvictionPolicy.Create(kind, _links);
        _map = new Dictionary<long, int>(size);
        _keys = new long[size];
        _written = new int[size];
    }

    /// <summary>The sum of the weights of the absorbed references.</summary>
    public double Absorbed { get; set; }

    public void Reference(long key, bool write, int flushes, double cost = 1)
    {
        if (_map.TryGetValue(key, out var node))
        {
            _policy.Touch(node);
            if (!write || _written[node] == flushes)
                Absorbed += cost;
        }
        else
        {
            node = _used < _keys.Length ? _used++ : Evict();
            _map.Add(key, node);
            _keys[node] = key;
            _written[node] = -1;
            _policy.Insert(node);
        }

        if (write)
            _written[node] = flushes;
    }

    private int Evict()
    {
        var node = _policy.First();
        _policy.Remove(node);
        _map.Remove(_keys[node]);
        return node;
    }
}
