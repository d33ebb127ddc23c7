using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Experiments.Model;

/// <summary>A write request on its way to the store and back. <c>Happen</c> delivers the store's answer to the lane. The lane reuses the object.</summary>
internal sealed class StoreCall(ModelLane lane, IModelObjects objects) : IModelEvent
{
    private WriteRequest _request = null!;
    private TimeSpan? _retryAfter;

    public void Begin(WriteRequest request, TimeSpan? retryAfter)
    {
        _request = request;
        _retryAfter = retryAfter;
    }

    public void Happen(TimeSpan now)
    {
        var request = _request;
        _request = null!;
        var outcome = _retryAfter is null
            ? new WriteOutcome(WriteOutcomeKind.Committed)
            : new WriteOutcome(WriteOutcomeKind.Overloaded, RetryAfter: _retryAfter);
        for (var i = 0; i < request.Count; i++)
            request.Batch.SetOutcome(i, outcome);
        if (_retryAfter is null)
            objects.Committed(request.Batch);
        lane.Answered(this, request, now);
    }
}
