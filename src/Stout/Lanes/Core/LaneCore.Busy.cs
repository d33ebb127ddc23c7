using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Handles keys that the store reports as busy while it accepts others: each key is retried after a growing delay of its own.</content>
internal sealed partial class LaneCore
{
    private readonly PriorityQueue<PendingWork, TimeSpan> _busyWrites = new();
    private readonly PriorityQueue<KeyFill, TimeSpan> _busyFills = new();

    private TimeSpan? NextBusy
    {
        get
        {
            var write = _busyWrites.TryPeek(out _, out var ofWrite) ? ofWrite : TimeSpan.MaxValue;
            var fill = _busyFills.TryPeek(out _, out var ofFill) ? ofFill : TimeSpan.MaxValue;
            return Earlier(write, fill) is var next && next < TimeSpan.MaxValue ? next : null;
        }
    }

    /// <summary>Holds a key back until its next attempt. Its changes are certainly not in the store, and newer changes join them.</summary>
    private void HoldBack(PendingWork work, in WriteOutcome outcome, TimeSpan now)
    {
        _map.Requeue(work);
        var busy = work.Busy ??= new BusyKey(now);
        busy.Attempts++;
        busy.Cause = outcome.Error;
        if (now - busy.Since >= _options.UnreachableTimeout)
        {
            GiveUp(work);
            return;
        }

        busy.IsWaiting = true;
        _busyWrites.Enqueue(work, Earlier(now + _retryDelay.After(busy.Attempts, outcome.RetryAfter), busy.Since + _options.UnreachableTimeout));
    }

    private void HoldBack(KeyFill fill, in ReadOutcome outcome, TimeSpan now)
    {
        fill.BusyAttempts++;
        fill.BusyCause = outcome.Error;
        fill.IsWaiting = true;
        _busyFills.Enqueue(fill, Earlier(now + _retryDelay.After(fill.BusyAttempts, outcome.RetryAfter), fill.RequestedAt + _options.UnreachableTimeout));
    }

    private void TakeUpBusyKeys(TimeSpan now)
    {
        while (_busyWrites.TryPeek(out var work, out var due) && due <= now)
        {
            _busyWrites.Dequeue();
            if (work.Handle.IsClosed)
                continue;
            work.Busy!.IsWaiting = false;
            if (now - work.Busy.Since >= _options.UnreachableTimeout)
                GiveUp(work);
            else
                _map.Dirty.AddLast(work);
        }

        while (_busyFills.TryPeek(out var fill, out var due) && due <= now)
        {
            _busyFills.Dequeue();
            if (!IsGivenUp(fill))
                _reads.Add(fill);
        }
    }

    private void GiveUp(PendingWork work) => _map.Fail(
        work.Handle, new NotAppliedException(work.Handle.Key, NotAppliedReason.KeyBusy, work.Busy!.Cause ?? StoreErrors.Busy()));
}
