namespace Stout.Argon.Caching;

/// <summary>
/// Orders nodes for eviction. The live cache and the simulated ones use the same classes (the paper, section 3.4: the simulator uses the
/// server's eviction policy).
/// </summary>
internal abstract class EvictionPolicy(NodeLinks links)
{
    public int Count { get; private set; }

    protected NodeLinks Links { get; } = links;

    protected int Newest { get; private set; } = NodeLinks.None;

    public int Oldest { get; private set; } = NodeLinks.None;

    public static EvictionPolicy Create(EvictionKind kind, NodeLinks links) => kind switch
    {
        EvictionKind.Lru => new LruPolicy(links),
        EvictionKind.Sieve => new SievePolicy(links),
        _ => throw new ArgumentOutOfRangeException(nameof(kind)),
    };

    /// <summary>The node that was inserted after <paramref name="node"/>; reading it changes no order.</summary>
    public int NewerThan(int node) => Links.Newer[node];

    public void Insert(int node)
    {
        Links.Visited[node] = false;
        Links.Newer[node] = NodeLinks.None;
        Links.Older[node] = Newest;
        if (Newest == NodeLinks.None)
            Oldest = node;
        else
            Links.Newer[Newest] = node;
        Newest = node;
        Count++;
    }

    public virtual void Remove(int node)
    {
        var (newer, older) = (Links.Newer[node], Links.Older[node]);
        if (newer == NodeLinks.None)
            Newest = older;
        else
            Links.Older[newer] = older;
        if (older == NodeLinks.None)
            Oldest = newer;
        else
            Links.Newer[older] = newer;
        Count--;
    }

    /// <summary>Records another reference to a node.</summary>
    public abstract void Touch(int node);

    /// <summary>The node to evict first, or <see cref="NodeLinks.None"/>.</summary>
    public abstract int First();

    /// <summary>
    /// The next candidate for eviction if <paramref name="node"/> can't be evicted; <see cref="NodeLinks.None"/> at the end. SIEVE goes round without an
    /// end, so the caller bounds its search.
    /// </summary>
    public abstract int After(int node);
}
