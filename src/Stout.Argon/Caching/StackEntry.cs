namespace Stout.Argon.Caching;

/// <summary>An LRU profile's entry for one block.</summary>
internal struct StackEntry
{
    /// <summary>The position of the block's last reference in the sequence of references.</summary>
    public int Place;

    /// <summary>
    /// The largest stack distance of a reference since the block's last write. A cache of at most this size has evicted the block, and so has written
    /// it back.
    /// </summary>
    public int SinceWrite;

    /// <summary>The number of flushes of the object at the block's last write; -1 without a write.</summary>
    public int Flushes;
}
