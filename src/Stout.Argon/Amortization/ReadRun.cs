namespace Stout.Argon.Amortization;

/// <summary>
/// The run count of one object (the paper, section 4.3): the blocks that were read in a row. A read off the run resets it.
/// </summary>
internal struct ReadRun
{
    /// <summary>Runs up to this many blocks are not prefetched: a short run is no stream yet.</summary>
    public const int Threshold = 4;

    private long _start;
    private long _next;

    /// <summary>The blocks that were read in a row; 0 after a read off the run.</summary>
    public long Length { get; private set; }

    /// <summary>Notes a read.</summary>
    public void Read(long first, int count)
    {
        var end = first + count;
        // Small reads of a byte stream repeat the last block.
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

    /// <summary>The blocks to read beyond a request of <paramref name="count"/> blocks that missed: as many again as were read in a row.</summary>
    /// <param name="count">The request's own blocks.</param>
    /// <param name="ceiling">The most blocks that one access reads in all.</param>
    public readonly long Prefetch(int count, long ceiling) => Length <= Threshold ? 0 : Math.Max(0, Math.Min(Length, ceiling - count));
}
