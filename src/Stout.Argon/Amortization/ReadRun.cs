namespace Stout.Argon.Amortization;

/// <summary>
/// Counts the blocks of one object that were read or written in sequence: the run count of the paper's section 4.3. A read elsewhere in the object resets the count.
/// </summary>
internal struct ReadRun
{
    /// <summary>A run of at most this many blocks causes no prefetch, since so few sequential reads don't yet indicate a stream.</summary>
    public const int Threshold = 4;

    private long _start;
    private long _next;

    /// <summary>The number of blocks that were read in sequence; 0 after a read elsewhere.</summary>
    public long Length { get; private set; }

    /// <summary>Notes a read.</summary>
    public void Read(long first, int count)
    {
        var end = first + count;
        // Consecutive small reads of a byte stream may share a block, so a read of the run's last block continues the run.
        if (first > _next || first < _next - 1 || end < _next)
        {
            _start = first;
            _next = end;
            Length = 0;
            return;
        }

        _next = end;
        Length = _next - _start;
    }

    /// <summary>
    /// The number of blocks to prefetch after a read that missed the cache: the run's length, limited by
    /// <paramref name="ceiling"/>; 0 in a short run.
    /// </summary>
    /// <param name="count">The number of blocks of the read itself.</param>
    /// <param name="ceiling">The largest number of blocks of one access, those of the read included.</param>
    public readonly long Prefetch(int count, long ceiling) => Length <= Threshold ? 0 : Math.Max(0, Math.Min(Length, ceiling - count));
}
