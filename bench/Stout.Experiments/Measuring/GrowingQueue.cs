namespace Stout.Experiments.Measuring;

/// <summary>
/// Whether waiting requests grow without end, so that the load exceeds the capacity. Compares the second sixth of a run, after the start, with the
/// last. A queue that only swings, as under adaptive laws, has about the same mean in both.
/// </summary>
internal static class GrowingQueue
{
    private const double Growth = 1.3;

    // Of the requests that come between the two spans, so many per thousand must have stayed behind.
    private const double LeastShare = 0.001;

    // A queue of some dozens is no sign of anything with 32 middle tiers.
    private const double LeastGrowth = 50;

    // Collapsing bounds every queue in the end, since a document has one write in flight at most. A quarter of a second's requests is more
    // than the longest interval accounts for.
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
