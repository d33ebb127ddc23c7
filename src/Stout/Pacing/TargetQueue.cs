namespace Stout.Pacing;

/// <summary>
/// The queue worth having: where a longer interval would cost callers as much in the lane as it saves them in the store. By the simplest model
/// of N lanes before one server it is ½ √(idle latency × interval × what a request takes over what its fixed part takes), whatever N is
/// (docs/pacing.md, "Equilibrium"). A request that is mostly keys is worth a longer queue: twice the interval halves its fixed part alone. It is also
/// what brings an interval back that is far too long, when what looks like a queue grows with the batch as the idle latency does.
/// </summary>
internal static class TargetQueue
{
    // With c workers in place of one server it is a c-th part under the root. Nobody tells how many there are: three lie between one and eight.
    private const double Workers = 3;

    /// <summary>The queueing delay to aim at, in milliseconds, over the law's factor.</summary>
    /// <param name="idle">The idle latency, in milliseconds.</param>
    /// <param name="interval">The interval, in milliseconds.</param>
    /// <param name="fixedShare">The part of the idle latency that a request of one key takes too. Above 0, at most 1.</param>
    public static double Of(double idle, double interval, double fixedShare) => Math.Sqrt(idle * interval * Math.Max(1, 1 / (Workers * fixedShare)));
}
