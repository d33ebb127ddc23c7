using Stout.Storage;

namespace Stout.Lanes;

/// <content>Time limits: no change, fill or drain waits longer than the options allow, however many others wait.</content>
internal sealed partial class LaneCore
{
    // How long a change or a fill waits to be sent to a store that can be reached. A request holds a place in flight for so long without
    // being slow: with a shorter UnreachableTimeout, ordinary requests would make others fail.
    private readonly TimeSpan _patience;
    private TimeSpan? _drainBy;

    private TimeSpan? NextGiveUp
    {
        get
        {
            TimeSpan? first = _map.Unsent.First is { } unsent ? SendBy(unsent.WaitsSince) : null;
            if (_map.Unresolved.First is { } unresolved)
                first = Earlier(first ?? TimeSpan.MaxValue, unresolved.WaitsSince + _options.ResolveUnknownFor);
            if (_fillWaits.Next is { } fill)
                first = Earlier(first ?? TimeSpan.MaxValue, SendBy(fill));
            return first;
        }
    }

    /// <summary>The longest that a change may wait for its answer: what an earlier change of its key takes, and then its own way.</summary>
    private TimeSpan LongestWait => _patience + _gate.Interval + _options.CallbackTimeout + (2 * (_options.RequestTimeout + _options.ResolveUnknownFor));

    /// <summary>The trouble that keeps things from being sent, or null.</summary>
    private Exception? Trouble => _gate.ConsecutiveFailures > 0 ? _gate.LastError : null;

    /// <summary>Until when a change, or a fill, that waits since <paramref name="since"/> has to be sent.</summary>
    private TimeSpan SendBy(TimeSpan since)
    {
        var by = since + _patience + _gate.Interval;
        return _gate.UnreachableSince is { } lost ? Earlier(by, Later(lost, since) + _options.UnreachableTimeout) : by;
    }

    /// <summary>Fails the changes and fills that were not sent in time. The change is certainly not in the store.</summary>
    private void GiveUpUnsent(TimeSpan now)
    {
        while (_map.Unsent.First is { } work && SendBy(work.WaitsSince) <= now)
        {
            // A callback or a request under way has a time limit of its own.
            if (work.BatchState is BatchState.Serializing or BatchState.Sent)
                _map.Unsent.Remove(work);
            else if (work.Busy is not null)
                GiveUp(work);
            else
                _map.Fail(work.Handle, NotSent(work.Handle.Key));
        }

        while (_fillWaits.Next is { } since && SendBy(since) <= now && _fillWaits.TryTake(out var fill))
        {
            if (fill.IsWaiting)
                FailFill(fill, new FillFailedException(fill.Handle.Key, fill.BusyCause ?? Trouble ?? StoreErrors.NotSent()));
        }
    }

    /// <summary>Fails the keys whose outcome could not be learned in time, also where a repeat is under way.</summary>
    private void GiveUpUnresolved(TimeSpan now)
    {
        while (_map.Unresolved.First is { } work && work.WaitsSince + _options.ResolveUnknownFor <= now)
            _map.Fail(work.Handle, new OutcomeUnknownException(work.Handle.Key, work.UnknownCause ?? StoreErrors.NoAnswer()));
    }

    /// <summary>Ends a drain that takes longer than any change made before it: an application that goes on marking would keep it up for ever.</summary>
    private void LimitDrain(TimeSpan now)
    {
        if (!_stopping || _drained)
            return;
        _drainBy ??= now + LongestWait;
        if (now >= _drainBy)
            Abort();
    }

    private NotAppliedException NotSent(PartitionKey key) => _gate.UnreachableSince is null
        ? new(key, NotAppliedReason.NotSentInTime, Trouble)
        : new(key, NotAppliedReason.StoreUnreachable, _gate.LastError ?? StoreErrors.Unreachable());
}
