namespace Stout.Argon.Caching;

/// <summary>A profile's entry for one block.</summary>
internal struct StackEntry
{
    /// <summary>The place of the last reference in time.</summary>
    public int Place;

    /// <summary>The largest stack distance since the last write: a smaller cache has evicted, and so written, the block.</summary>
    public int SinceWrite;

    /// <summary>The flushes of its object when it was written; -1 when it was not.</summary>
    public int Flushes;
}
