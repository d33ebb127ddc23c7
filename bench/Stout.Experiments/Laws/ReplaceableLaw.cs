using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>A law that can be exchanged for another while its lane runs: so an experiment can force an interval on the lane.</summary>
internal class ReplaceableLaw(IPacingLaw law) : IPacingLaw
{
    private volatile IPacingLaw _law = law;

    public IPacingLaw Law
    {
        get => _law;
        set => _law = value;
    }

    public TimeSpan Interval => Law.Interval;

    public int MaxInFlight => Law.MaxInFlight;

    public int MaxBatchKeys => Law.MaxBatchKeys;

    public bool PacesReads => Law.PacesReads;

    public void BatchSent(in BatchDeparture departure) => Law.BatchSent(departure);

    public PacingPhase Phase => Law.Phase;

    public virtual void RequestAnswered(in StoreRequest request) => Law.RequestAnswered(request);
}
