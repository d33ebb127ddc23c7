namespace Stout.Argon.Caching;

/// <summary>
/// The policy SIEVE (Zhang and others, NSDI 2024). A hand moves from the oldest node to the newest, and then starts over. It evicts the first
/// node that was not referenced since the hand's last pass. So the nodes of a scan are evicted before nodes that were referenced again.
/// </summary>
internal sealed class SievePolicy(NodeLinks links) : EvictionPolicy(links)
{
    private int _hand = NodeLinks.None;

    public override void Touch(int node) => Links.Visited[node] = true;

    public override void Remove(int node)
    {
        if (node == _hand)
            _hand = Links.Newer[node];
        base.Remove(node);
    }

    public override int First()
    {
        if (Count == 0)
            return NodeLinks.None;
        if (_hand == NodeLinks.None)
            _hand = Oldest;
        // The loop ends: a whole round clears the bits of all nodes, so the second round stops at its first node.
        while (Links.Visited[_hand])
            Step();
        return _hand;
    }

    public override int After(int node)
    {
        _hand = Links.Newer[node];
        return First();
    }

    private void Step()
    {
        Links.Visited[_hand] = false;
        _hand = Links.Newer[_hand];
        if (_hand == NodeLinks.None)
            _hand = Oldest;
    }
}
