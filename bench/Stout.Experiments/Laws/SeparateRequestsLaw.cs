using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>
/// A fixed interval without batching (the paper's figures 6 and 7). Writes of a document collapse during the interval; at its end, each document's write leaves
/// in its own request.
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
