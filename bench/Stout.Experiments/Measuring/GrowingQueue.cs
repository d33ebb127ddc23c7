namespace Stout.Experiments.Measuring;

/// <summary>
/// Decides whether the number of waiting requests grows without end, so that the load exceeds the capacity. Compares the second sixth of a run, after the
/// start, with the last sixth. A queue that only swings, as under adaptive laws, has about the same mean in both.
/// </summary>
internal static class GrowingQueue
{
    private const double Growth = 1.3;

    // The least growth of the queue, as a share of the requests that come between the two spans.
    private const double LeastShare = 0.001;

    // The least growth of the queue in requests. With 32 middle tiers, a queue of some dozens is normal.
    private const double LeastGrowth = 50;

    // A queue with the requests of more than this time counts as growing, even if its length is stable. Collapsing bounds every queue in the end, since a
    // document has one write in flight at most. The longest interval, 400 ms, explains less: requests wait for half of it in the mean.
    private const double LongestSeconds = 0.25;

    /// <param name="waiting">Waiting requests, sampled evenly over the run.</param>
    /// <param name="length">How long the run was.</param>
    /// <param name="perSecond">Requests offered per second.</param>
    public static bool Grows(IReadOnlyList<double> waiting, TimeSpan length, double perSecond)
    {
        var sixth = waiting.Count / 6;
        if (sixth == 0)
            return false;
        var early = waiting.Skip(sixth).Take(sixth).Average();
        var late = waiting.TakeLast(sixth).Average();
        var between = perSecond * length.TotalSeconds * 4 / 6;
        return late > LongestSeconds * perSecond || (late > Growth * early && late - early > Math.Max(LeastGrowth, LeastShare * between));
    }
}
