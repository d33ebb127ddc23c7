namespace Stout.Experiments.Measuring;

/// <summary>
/// Whether the number of waiting requests grows without end, which means that the load exceeds the capacity. Two spans of a run are
/// compared: the second sixth, when the start is over, and the last. What merely fluctuates has about the same mean in both.
/// </summary>
internal static class GrowingQueue
{
    private const double Growth = 1.3;

    // A queue of some dozens is no sign of anything with 32 middle tiers.
    private const double LeastGrowth = 50;

    /// <param name="waiting">Waiting requests, sampled evenly over the run.</param>
    public static bool Grows(IReadOnlyList<double> waiting)
    {
        var sixth = waiting.Count / 6;
        if (sixth == 0)
            return false;
        var early = waiting.Skip(sixth).Take(sixth).Average();
        var late = waiting.TakeLast(sixth).Average();
        return late > Growth * early && late > early + LeastGrowth;
    }
}
