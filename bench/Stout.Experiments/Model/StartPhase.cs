namespace Stout.Experiments.Model;

/// <summary>
/// When a sender's first batch may leave. Middle tiers do not start at one moment. Otherwise their batches would meet at the store for as long as a fixed
/// interval keeps them in step.
/// </summary>
internal static class StartPhase
{
    // The longest batching interval of the experiments.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(400);

    public static TimeSpan Next(Random random) => Longest * random.NextDouble();
}
