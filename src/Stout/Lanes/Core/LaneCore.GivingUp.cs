using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Enforces the time limits: no change, fill or drain waits longer than the options allow, regardless of load.</content>
internal sealed partial class LaneCore
{
    // The longest wait of a change or fill before it is sent to a reachable store. It is at least the time after which a request counts as slow:
    // otherwise changes that wait for ordinary requests would time out.
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

    /// <summary>
    /// The longest time from a change to its answer: the wait for sending, the client's callback, and two requests. The first request carries an earlier change
    /// of the key.
    /// </summary>
    private TimeSpan LongestWait => _patience + _gate.Interval + (_client?.LongestGathering ?? TimeSpan.Zero) + (2 * (_options.RequestTimeout + _options.ResolveUnknownFor));

    /// <summary>The error that delays sending, or null.</summary>
    private Exception? Trouble => _gate.ConsecutiveFailures > 0 ? _gate.LastError : null;

    /// <summary>The time by which a change or fill waiting since <paramref name="since"/> must be sent.</summary>
    private TimeSpan SendBy(TimeSpan since)
    {
        var by = since + _patience + _gate.Interval;
        return _gate.UnreachableSince is { } lost ? Earlier(by, Later(lost, since) + _options.UnreachableTimeout) : by;
    }

    /// <summary>Fails changes and fills that were not sent in time. Such changes are certainly not in the store.</summary>
    private void GiveUpUnsent(TimeSpan now)
    {
        while (_map.Unsent.First is { } work && SendBy(work.WaitsSince) <= now)
        {
            // Callbacks and requests in flight have their own time limits.
            if (work.BatchState is BatchState.Gathering or BatchState.Sent)
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

    /// <summary>Fails keys whose outcome stayed unknown for too long, even while a repeated request is in flight.</summary>
    private void GiveUpUnresolved(TimeSpan now)
    {
        while (_map.Unresolved.First is { } work && work.WaitsSince + _options.ResolveUnknownFor <= now)
            _map.Fail(work.Handle, new OutcomeUnknownException(work.Handle.Key, work.UnknownCause ?? StoreErrors.NoAnswer()));
    }

    /// <summary>
    /// Ends a drain after the longest wait of any change. An application that keeps marking changes could otherwise prolong it forever.
    /// </summary>
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
