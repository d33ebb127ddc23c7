namespace Stout.Argon.Caching;

/// <summary>
/// Maps cache sizes to the fraction of one service's references that a cache absorbs: read hits and overwrites of dirty blocks (the paper, section
/// 3.4).
/// </summary>
internal interface IServiceProfile
{
    /// <summary>Records a reference to a block.</summary>
    /// <param name="key">The block.</param>
    /// <param name="write">Whether the block is written.</param>
    /// <param name="flushes">The number of flushes of its object so far: blocks written before the last are clean.</param>
    void Reference(long key, bool write, int flushes);

    /// <summary>The absorbed fraction with a cache of this many blocks.</summary>
    double Absorbed(int blocks);

    /// <summary>Resets the counts and keeps the blocks.</summary>
    void ResetCounts();

    /// <summary>Halves the counts so far.</summary>
    void Age();
}
