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
    /// <param name="flushes">The number of flushes of the block's object so far. Blocks written before the last flush are clean.</param>
    void Reference(long key, bool write, int flushes);

    /// <summary>The absorbed fraction with a cache of this many blocks.</summary>
    double Absorbed(int blocks);

    /// <summary>Resets the counts of references, but remembers the blocks.</summary>
    void ResetCounts();

    /// <summary>Halves the counts so far, so that later references weigh more.</summary>
    void Age();
}
