namespace Stout.Pacing;

/// <summary>
/// When a law's deliberate small changes point up and when down: a pattern of four equal quarters, up, down, down, up, by the clock that all
/// processes share. One lane among thirty-two moves the store's queue by a thirty-second part and can't see what its interval does to it; what
/// all do at the same time each can see. The order of the quarters cancels whatever drifts evenly meanwhile.
/// </summary>
internal struct Swing()
{
    private const int Quarters = 4;

    // Long enough for a queue to answer and to be measured, in answers or in intervals of which there is one at a time.
    private const double QuarterSteps = 16;
    private const double LongestQuarter = 2_048;

    // A queue needs a while to answer to the change.
    private const double UnsettledShare = 0.25;

    /// <summary>The length of a quarter, in milliseconds.</summary>
    public double Quarter { get; private set; } = 512;

    /// <summary>The length of a pattern, in milliseconds.</summary>
    public readonly double Length => Quarters * Quarter;

    /// <summary>The part of a quarter in which answers count, in milliseconds.</summary>
    public readonly double Settled => (1 - UnsettledShare) * Quarter;

    /// <summary>1 for a longer interval, -1 for a shorter one.</summary>
    public readonly int SignAt(double time) => ((long)Math.Floor(time / Quarter) & (Quarters - 1)) is 0 or 3 ? 1 : -1;

    /// <summary>The number of the pattern that is under way.</summary>
    public readonly long PatternAt(double time) => (long)Math.Floor(time / Quarter / Quarters);

    /// <summary>Whether the store's queue has had the time to answer to the quarter.</summary>
    public readonly bool IsSettledAt(double time)
    {
        var quarters = time / Quarter;
        return quarters - Math.Floor(quarters) >= UnsettledShare;
    }

    /// <summary>How much of a swing is of use at an interval: where even the longest quarter has fewer than sixteen intervals, a wider swing shows no more.</summary>
    /// <param name="interval">The interval, in milliseconds.</param>
    /// <returns>At most 1.</returns>
    public static double ShareOfUse(double interval) => Math.Min(1, LongestQuarter / (QuarterSteps * interval));

    /// <summary>Fits the length to the lane.</summary>
    /// <param name="step">The time between two answers that say something new, in milliseconds: the latency or the interval.</param>
    public void Fit(double step)
        => Quarter = ClockLength.Fit(Quarter, Math.Min(LongestQuarter, QuarterSteps * step));
}
