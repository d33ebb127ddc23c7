namespace Stout.Argon.Caching;

/// <summary>
/// Maps cache sizes to the fraction of one service's references that a cache absorbs: read hits and overwrites of dirty blocks (the paper, section
/// 3.4). A reference's weight is the disk time that it takes without a cache. A random read costs a hundred times as much as a sequential one.
/// </summary>
internal interface IServiceProfile
{
    /// <summary>Records a reference to a block.</summary>
    /// <param name="key">The block.</param>
    /// <param name="write">Whether the block is written.</param>
    /// <param name="flushes">The number of flushes of the block's object so far. Blocks written before the last flush are clean.</param>
    /// <param name="cost">The weight: the estimated disk time of the reference without a cache.</param>
    void Reference(long key, bool write, int flushes, double cost = 1);

    /// <summary>Records disk time that no cache saves, such as that of a sync.</summary>
    void Spend(double cost);

    /// <summary>The mean weight of a reference, with the disk time that no cache saves.</summary>
    double MeanCost { get; }

    /// <summary>The fraction of the weights that a cache of this many blocks absorbs.</summary>
    double Absorbed(int blocks);

    /// <summary>Resets the counts of references, but remembers the blocks.</summary>
    void ResetCounts();

    /// <summary>Halves the counts so far, so that later references weigh more.</summary>
    void Age();
}
