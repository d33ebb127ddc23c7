using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>A law that can be exchanged for another while its lane runs: so an experiment forces an interval upon it.</summary>
internal sealed class ReplaceableLaw(IPacingLaw law) : IPacingLaw
{
    public IPacingLaw Law { get; set; } = law;

    public TimeSpan Interval => Law.Interval;

    public int MaxInFlight => Law.MaxInFlight;

    public int MaxBatchKeys => Law.MaxBatchKeys;

    public void BatchSent(in BatchDeparture departure) => Law.BatchSent(departure);

    public void RequestAnswered(in StoreRequest request) => Law.RequestAnswered(request);
}
