using Stout.Experiments.Laws;
using Stout.Pacing;

namespace Stout.Experiments.Live;

/// <summary>The law of a real lane: each run gives it another. It counts what the store was sent, since a law is told all of it.</summary>
internal sealed class LaneLaw() : ReplaceableLaw(new NoBatchingLaw(new NoBatchingParameters { MaxInFlight = 1 }))
{
    private readonly Lock _lock = new();
    private StoreTraffic _traffic;

    /// <summary>Since the lane was opened.</summary>
    public StoreTraffic Traffic
    {
        get
        {
            lock (_lock)
                return _traffic;
        }
    }

    public override void RequestAnswered(in StoreRequest request)
    {
        base.RequestAnswered(request);
        if (request.Kind != StoreRequestKind.Write)
            return;
        lock (_lock)
            _traffic += new StoreTraffic(1, request.Operations, request.Bytes, request.Outcome == StoreRequestOutcome.Overloaded ? request.Operations : 0);
    }
}

/// <summary>Write requests to a store, and the keys and bytes in them.</summary>
internal readonly record struct StoreTraffic(long Requests, long Keys, long Bytes, long Refused)
{
    public static StoreTraffic operator +(StoreTraffic a, StoreTraffic b) => new(a.Requests + b.Requests, a.Keys + b.Keys, a.Bytes + b.Bytes, a.Refused + b.Refused);

    public static StoreTraffic operator -(StoreTraffic a, StoreTraffic b) => new(a.Requests - b.Requests, a.Keys - b.Keys, a.Bytes - b.Bytes, a.Refused - b.Refused);
}
