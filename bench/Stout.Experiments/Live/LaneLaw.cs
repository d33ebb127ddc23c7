using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Pacing;

namespace Stout.Experiments.Live;

/// <summary>The law of a real lane, which each run replaces. It counts the write requests to the store, since a law is told about all of them.</summary>
internal sealed class LaneLaw() : ReplaceableLaw(new NoBatchingLaw(new NoBatchingLawParameters { MaxInFlight = 1 }))
{
    private readonly Lock _lock = new();
    private StoreTraffic _traffic;

    /// <summary>The write requests since <see cref="Restart"/>.</summary>
    public StoreTraffic Traffic
    {
        get
        {
            lock (_lock)
                return _traffic;
        }
    }

    /// <summary>Begins a new count of write requests.</summary>
    public void Restart()
    {
        lock (_lock)
            _traffic = default;
    }

    public override void RequestAnswered(in StoreRequest request)
    {
        base.RequestAnswered(request);
        if (request.Kind != StoreRequestKind.Write)
            return;
        lock (_lock)
            _traffic += new StoreTraffic(1, request.Operations, request.Bytes, request.Outcome == StoreRequestOutcome.Overloaded ? request.Operations : 0, request.Latency);
    }
}
