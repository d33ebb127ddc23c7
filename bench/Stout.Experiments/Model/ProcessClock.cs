using Stout.Pacing;

namespace Stout.Experiments.Model;

/// <summary>
/// Paces all lanes of a middle tier by one law, as the paper does. At the end of an interval, all dirty keys leave to every store partition at once. The
/// lanes' cores get a law that never holds them back, and are advanced only when this clock says so.
/// </summary>
internal sealed class ProcessClock(EventQueue events, IPacingLaw law, TimeSpan startsAt) : IModelEvent
{
    private readonly List<ModelLane> _lanes = [];
    private readonly DepartureLog _departures = new();
    private TimeSpan? _lastDeparture;
    private TimeSpan? _armedFor;
    private bool _departed;

    public IPacingLaw Law => law;

    public void Add(ModelLane lane) => _lanes.Add(lane);

    /// <summary>The law for one lane's core.</summary>
    public IPacingLaw LawOfALane() => new LaneLaw(this);

    /// <summary>Takes note that a lane may have something to send. All lanes send now if the interval is over, and otherwise at its end.</summary>
    public void NoteWork(TimeSpan now)
    {
        var due = _lastDeparture is { } last ? last + law.Interval : startsAt;
        if (due <= now)
        {
            Depart(now);
        }
        else if (_armedFor is null || due < _armedFor)
        {
            _armedFor = due;
            events.Schedule(due, this);
        }
    }

    public void Happen(TimeSpan now)
    {
        if (now < _armedFor)
            return;
        _armedFor = null;
        NoteWork(now);
    }

    private void Depart(TimeSpan now)
    {
        _departed = false;
        foreach (var lane in _lanes)
            lane.Advance(now);
        if (!_departed)
            return;
        _departures.Add(now, now - (_lastDeparture ?? now));
        _lastDeparture = now;
    }

    private sealed class LaneLaw(ProcessClock clock) : IPacingLaw
    {
        public TimeSpan Interval => TimeSpan.Zero;

        public int MaxInFlight => clock.Law.MaxInFlight;

        public int MaxBatchKeys => clock.Law.MaxBatchKeys;

        public bool PacesReads => clock.Law.PacesReads;

        public void BatchSent(in BatchDeparture departure)
        {
            if (!clock._departed)
                clock.Law.BatchSent(departure with { Interval = departure.At - (clock._lastDeparture ?? departure.At) });
            clock._departed = true;
        }

        // Replaces the interval that the lane reports by that of the clock: the lane leaves out departures at which it had no changes.
        public void RequestAnswered(in StoreRequest request) =>
            clock.Law.RequestAnswered(request with { Interval = clock._departures.IntervalBefore(request.SentAt) });
    }
}
