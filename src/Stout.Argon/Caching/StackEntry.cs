namespace Stout.Argon.Caching;

/// <summary>A profile's entry for one block.</summary>
internal struct StackEntry
{
    /// <summary>The position of the last reference in time.</summary>
    public int Place;

    /// <summary>The largest stack distance since the last write: a smaller cache has evicted the block, and so written it.</summary>
    public int SinceWrite;

    /// <summary>The flushes of its object at its last write; -1 without a write.</summary>
    public int Flushes;
}
