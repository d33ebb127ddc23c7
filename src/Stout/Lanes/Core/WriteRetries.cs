using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// The keys of writes that did not succeed, until their next attempt or their time limit. A write that is certainly not in the store becomes dirty again. A key
/// that the store reports as busy, while it accepts others, waits for a growing delay of its own. A write of unknown outcome is repeated with the same keys,
/// stamps and bytes until the stored stamps settle it.
/// </summary>
/// <param name="options">Validated options.</param>
/// <param name="map">The dirty keys.</param>
/// <param name="gate">Has the store's failures.</param>
/// <param name="times">The time limits.</param>
/// <param name="requests">The write requests in flight.</param>
/// <param name="sender">Sends the repeats.</param>
/// <param name="retryDelay">The delays of busy keys and of repeats.</param>
internal sealed class WriteRetries(
    StoutOptions options, DependencyMap map, DepartureGate gate, TimeLimits times, RequestsInFlight<WriteRequest> requests, WriteSender sender,
    RetryDelay retryDelay)
{
    private readonly List<PendingWork> _requeued = [];
    private readonly PriorityQueue<PendingWork, TimeSpan> _busy = new();
    private readonly PriorityQueue<WriteRequest, TimeSpan> _unresolved = new();
    private readonly List<WriteRequest> _repeats = [];

    /// <summary>Whether requests of unknown outcome wait for their repeat.</summary>
    public bool IsWaiting => _unresolved.Count > 0;

    /// <summary>The time at which the next busy key is sent again.</summary>
    public TimeSpan? NextBusy => _busy.TryPeek(out _, out var due) ? due : null;

    /// <summary>The time at which the next request of unknown outcome is repeated.</summary>
    public TimeSpan? NextResend => _unresolved.TryPeek(out _, out var due) ? TimeLimits.Later(due, gate.HeldUntil) : null;

    /// <summary>The time limit of the oldest unsent change.</summary>
    public TimeSpan? NextUnsent => map.Unsent.First is { } unsent ? times.SendBy(unsent.WaitsSince) : null;

    /// <summary>The time limit of the oldest key of unknown outcome.</summary>
    public TimeSpan? NextUnresolved => map.Unresolved.First is { } unresolved ? unresolved.WaitsSince + options.ResolveUnknownFor : null;

    /// <summary>
    /// Whether a write's outcome is still unknown. A later refused attempt does not settle an earlier lost one; only the stored stamp does.
    /// </summary>
    public static bool IsUnresolved(WriteOutcomeKind outcome, WriteRequest request) => outcome switch
    {
        WriteOutcomeKind.Unknown => true,
        WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced => false,
        _ => request.UnknownAttempts > 0,
    };

    /// <summary>Makes a key dirty again. Its changes are certainly not in the store, and newer changes join them.</summary>
    public void Requeue(PendingWork work)
    {
        map.Requeue(work);
        _requeued.Add(work);
    }

    /// <summary>Holds a busy key back until its next attempt. Its changes are certainly not in the store, and newer changes join them.</summary>
    public void HoldBack(PendingWork work, in WriteOutcome outcome, TimeSpan now)
    {
        map.Requeue(work);
        var busy = work.Busy ??= new BusyKey(now);
        busy.Attempts++;
        busy.Cause = outcome.Error;
        if (IsGivenUp(work, now))
            return;
        busy.IsWaiting = true;
        _busy.Enqueue(work, TimeLimits.Earlier(now + retryDelay.After(busy.Attempts, outcome.RetryAfter), busy.Since + options.UnreachableTimeout));
    }

    /// <summary>Adds a key of a request with an unknown outcome to the request's repeats.</summary>
    public void Repeat(WriteRequest request, int index, Exception? cause, TimeSpan now)
    {
        if (_repeats.Count == 0 || _repeats[^1].Count >= RequestSize.PieceOf(request.Count))
            _repeats.Add(sender.NewRequest(request.Departure, request.UnknownAttempts + 1));
        var work = request[index];
        map.BecomesUnknown(work, cause, now);
        _repeats[^1].Add(work, request.Batch[index], request.Batch.PartsOf(index));
    }

    /// <summary>
    /// Puts requeued keys back into the queue of dirty keys, by age. The search is short, since the oldest keys are sent first: only other requeued or
    /// deferred keys are older.
    /// </summary>
    public void EnqueueAgain()
    {
        var place = map.Dirty.First;
        foreach (var work in _requeued)
        {
            while (place is not null && place.DirtySince.At < work.DirtySince.At)
                place = place.Next;
            map.Dirty.AddBefore(place, work);
        }

        _requeued.Clear();
    }

    /// <summary>Lets the repeats of a request wait for their delay, which begins after the gate has taken the answer.</summary>
    public void RestRepeats(TimeSpan now)
    {
        foreach (var repeat in _repeats)
            _unresolved.Enqueue(repeat, now + retryDelay.After(repeat.UnknownAttempts));
        _repeats.Clear();
    }

    /// <summary>Queues busy keys whose delay has ended.</summary>
    public void TakeUpBusy(TimeSpan now)
    {
        while (_busy.TryPeek(out var work, out var due) && due <= now)
        {
            _busy.Dequeue();
            if (work.Handle.IsClosed)
                continue;
            work.Busy!.IsWaiting = false;
            if (!IsGivenUp(work, now))
                map.Dirty.AddLast(work);
        }
    }

    /// <summary>Repeats requests of unknown outcome whose delay has ended.</summary>
    public void Resend(TimeSpan now)
    {
        while (_unresolved.TryPeek(out var waiting, out var due))
        {
            if (HasOpenKey(waiting) && (TimeLimits.Later(due, gate.HeldUntil) > now || !requests.HasRoomForRepeat))
                return;
            _unresolved.Dequeue();
            var request = sender.NewRequest(waiting.Departure, waiting.UnknownAttempts);
            for (var i = 0; i < waiting.Count; i++)
            {
                if (waiting[i].Handle.IsClosed)
                    sender.Done(waiting[i]);
                else
                    request.Add(waiting[i], waiting.Batch[i], waiting.Batch.PartsOf(i));
            }

            sender.Recycle(waiting);
            sender.Send(request, now);
        }
    }

    /// <summary>Fails changes that were not sent in time. Such changes are certainly not in the store.</summary>
    public void GiveUpUnsent(TimeSpan now)
    {
        while (map.Unsent.First is { } work && NextUnsent <= now)
        {
            // Callbacks and requests in flight have their own time limits.
            if (work.BatchState is BatchState.Gathering or BatchState.Sent)
                map.Unsent.Remove(work);
            else if (work.Busy is not null)
                GiveUp(work);
            else
                map.Fail(work.Handle, NotSent(work.Handle.Key));
        }
    }

    /// <summary>Fails keys whose outcome stayed unknown for too long, even while a repeated request is in flight.</summary>
    public void GiveUpUnresolved(TimeSpan now)
    {
        while (map.Unresolved.First is { } work && NextUnresolved <= now)
            map.Fail(work.Handle, new OutcomeUnknownException(work.Handle.Key, work.UnknownCause ?? StoreErrors.NoAnswer()));
    }

    private static bool HasOpenKey(WriteRequest request)
    {
        for (var i = 0; i < request.Count; i++)
        {
            if (!request[i].Handle.IsClosed)
                return true;
        }

        return false;
    }

    private bool IsGivenUp(PendingWork work, TimeSpan now)
    {
        var isLate = now - work.Busy!.Since >= options.UnreachableTimeout;
        if (isLate)
            GiveUp(work);
        return isLate;
    }

    private void GiveUp(PendingWork work) => map.Fail(
        work.Handle, new NotAppliedException(work.Handle.Key, NotAppliedReason.KeyBusy, work.Busy!.Cause ?? StoreErrors.Busy()));

    private NotAppliedException NotSent(PartitionKey key) => gate.UnreachableSince is null
        ? new(key, NotAppliedReason.NotSentInTime, gate.Trouble)
        : new(key, NotAppliedReason.StoreUnreachable, gate.Trouble ?? StoreErrors.Unreachable());
}
