namespace Stout.Experiments.Model;

/// <summary>
/// Draws the time at which the first batch of a lane or of a process may leave. If all started at the same time, their batches would meet at the store for as
/// long as a fixed interval keeps them in step.
/// </summary>
internal static class StartPhase
{
    // The longest batching interval of the experiments.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(400);

    public static TimeSpan Next(Random random) => Longest * random.NextDouble();
}
