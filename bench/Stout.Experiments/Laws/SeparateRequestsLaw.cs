using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>
/// A fixed interval whose writes leave one by one at its end: they collapse, and are not batched (the paper's figures 6 and 7).
/// </summary>
internal sealed class SeparateRequestsLaw(double intervalMilliseconds) : IPacingLaw
{
    public TimeSpan Interval { get; } = TimeSpan.FromMilliseconds(intervalMilliseconds);

    public int MaxInFlight => int.MaxValue;

    public int MaxBatchKeys => 1;

    public void BatchSent(in BatchDeparture departure)
    {
    }

    public void RequestAnswered(in StoreRequest request)
    {
    }
}
