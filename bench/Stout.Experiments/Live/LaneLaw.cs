using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Pacing;

namespace Stout.Experiments.Live;

/// <summary>The law of a real lane: each run gives it another. It counts what the store was sent, since a law is told all of it.</summary>
internal sealed class LaneLaw() : ReplaceableLaw(new NoBatchingLaw(new NoBatchingLawParameters { MaxInFlight = 1 }))
{
    private readonly Lock _lock = new();
    private StoreTraffic _traffic;

    /// <summary>Since <see cref="Restart"/>.</summary>
    public StoreTraffic Traffic
    {
        get
        {
            lock (_lock)
                return _traffic;
        }
    }

    /// <summary>Counts from now on.</summary>
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
