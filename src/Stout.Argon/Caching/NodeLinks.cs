namespace Stout.Argon.Caching;

/// <summary>The links of doubly linked lists over numbered nodes. Several lists share one instance; a node is in at most one list.</summary>
/// <param name="count">The number of nodes.</param>
internal sealed class NodeLinks(int count)
{
    /// <summary>The end of a list.</summary>
    public const int None = -1;

    public int[] Newer { get; } = new int[count];

    public int[] Older { get; } = new int[count];

    /// <summary>SIEVE's bit: the node was referenced again since it was inserted or last passed by the hand.</summary>
    public bool[] Visited { get; } = new bool[count];
}
