namespace Stout.Argon.Caching;

/// <summary>Evicts the node whose last reference is the oldest.</summary>
internal sealed class LruPolicy(NodeLinks links) : EvictionPolicy(links)
{
    public override void Touch(int node)
    {
        if (node == Newest)
            return;
        Remove(node);
        Insert(node);
    }

    public override int First() => Oldest;

    public override int After(int node) => Links.Newer[node];
}
