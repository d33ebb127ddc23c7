namespace Stout.Pacing;

/// <summary>
/// How many requests each lane has under way in a trial of the critical interval. One each fills a store that takes one at a time. A store whose log
/// waits for company, or that has more workers than there are lanes, answers twice as many in the same time: what one each shows is an interval far
/// longer than the critical one. So the number doubles as long as callers wait less for it, and goes back where they wait longer.
/// </summary>
/// <param name="most">The most that the law may have under way.</param>
internal struct TrialWindow(int most)
{
    private const int Most = 8;

    // Where requests take so much longer than at the lanes' intervals, the store is full, and more of them would only wait.
    private const double Full = 1.5;
    private const double TooFull = 2;

    // The first rounds fill the store; they don't show yet what it takes when it is full.
    private const int LeastRounds = 3;

    // Twice as many again, after they took longer, is for when the load has become another.
    private const int Patience = 6;

    private double _wait;
    private int _trialsToWait;

    /// <summary>The number in the next trial.</summary>
    public int Size { get; private set; } = 1;

    /// <summary>The number that the last trial which counted had.</summary>
    public int Proven { get; private set; } = 1;

    /// <summary>Whether callers waited longer with twice as many: the store is full with those that are proven.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Takes in a trial that is over; whether what it shows counts.</summary>
    /// <param name="latency">What its requests took in the mean, in milliseconds.</param>
    /// <param name="paced">What they take when nobody tries, in milliseconds.</param>
    /// <param name="answers">How many were answered.</param>
    /// <param name="mayGrow">Whether twice as many would show something.</param>
    public bool Take(double latency, double paced, int answers, bool mayGrow)
    {
        // Callers wait for an answer, and before it for half the time between two batches. With twice as many under way a full store takes twice as
        // long; one that has room takes as long as before, and the time between batches halves.
        var wait = latency * (1 + (0.5 / Size));
        var isTooMany = Size > Proven ? wait > _wait : latency > TooFull * paced;
        var isEnough = answers >= LeastRounds * Size;
        if (Size > 1 && (isTooMany || !isEnough))
        {
            IsFull |= isTooMany && Size > Proven;
            Size /= 2;
            _trialsToWait = Patience;
            return false;
        }

        IsFull &= Size == Proven;
        (Proven, _wait) = (Size, wait);
        if (mayGrow && latency < Full * paced && isEnough && --_trialsToWait < 0)
            Size = Math.Min(2 * Size, Math.Min(Most, most));
        return true;
    }
}
