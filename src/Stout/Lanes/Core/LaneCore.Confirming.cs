using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>
/// Confirmed reads (the paper, section 4.1). Before the reply to a call without changes, the lane asks the store whether the key still has the handle's
/// owner. One request with such questions is in flight at a time, not counting slow ones. The next request carries all questions that gathered
/// meanwhile, so questions are batched without waiting for a departure.
/// </content>
internal sealed partial class LaneCore
{
    // The questions that have not been sent; further callers of the same handle join them.
    private readonly Dictionary<KeyHandle, OwnerCheck> _joinable = [];
    private readonly Queue<OwnerCheck> _checks = new();
    private readonly PriorityQueue<OwnerCheck, TimeSpan> _restingChecks = new();
    private readonly HashSet<OwnerCheck> _openChecks = [];
    private readonly DeadlineQueue<OwnerCheck> _checkDeadlines;
    private ReadRequest? _checking;

    private bool CanCheck => _checks.Count > 0 && _readPlaces.HasRoom && _checking is null or { IsOver: true } or { Place: not Place.Held };

    private TimeSpan? NextRestingCheck => _restingChecks.TryPeek(out _, out var due) ? due : null;

    /// <summary>
    /// Releases the message once the store has confirmed that the handle's owner still has the key, in answer to a question sent after this call.
    /// </summary>
    public void Confirm(KeyHandle handle, Message message, TimeSpan now)
    {
        if (handle.Phase != KeyPhase.Open)
        {
            FailUnsent(handle, message);
            return;
        }

        // Undurable changes are still to be sent. The store compares the owner when it commits them, so the commit answers this question too.
        if (handle.Work is { IsDirty: true })
        {
            _map.Send(handle, message);
            return;
        }

        if (!_joinable.TryGetValue(handle, out var check))
        {
            check = _joinable[handle] = new OwnerCheck(handle);
            _checks.Enqueue(check);
            _openChecks.Add(check);
            _checkDeadlines.Add(check, 0, now);
        }

        check.Waiters.Enqueue(message);
    }

    private void SendChecks(TimeSpan now)
    {
        while (_restingChecks.TryPeek(out var resting, out var due) && due <= now)
            _checks.Enqueue(_restingChecks.Dequeue());
        if (!CanCheck || now < _gate.HeldUntil)
            return;
        var request = new ReadRequest { SentAt = now, Departure = new BatchDeparture(now, TimeSpan.Zero, ApplicationLimited: true, Keys: 0) };
        var most = Math.Min(_limits.MaxBatchKeys, _readSize.Keys);
        while (request.Checks.Count < most && _checks.TryDequeue(out var check))
        {
            if (_joinable.GetValueOrDefault(check.Handle) == check)
                _joinable.Remove(check.Handle);
            if (check.IsOver || IsAnsweredWithoutStore(check))
                continue;
            check.Seen = check.Handle.Stored;
            request.Checks.Add(check);
            request.Batch.Add(new KeyRead(check.Handle.Key, KeyReadKind.Header));
        }

        if (request.Checks.Count == 0)
            return;
        _checking = request;
        _readPlaces.Take(request, isRepeat: false);
        _slowReads.Add(request, 0, now);
        _readDeadlines.Add(request, 0, now);
        _commands.Add(new LaneCommand(LaneCommandKind.SendRead, request));
    }

    /// <summary>Ends the question, and returns true, if its handle was closed or has become dirty meanwhile.</summary>
    private bool IsAnsweredWithoutStore(OwnerCheck check)
    {
        var handle = check.Handle;
        if (handle.IsClosed)
        {
            End(check, new HandleClosedException(handle.Key, handle.ClosedBecause));
            return true;
        }

        if (handle.Work is not { IsDirty: true })
            return false;
        Message? next;
        for (var waiter = check.Waiters.TakeAll(); waiter is not null; waiter = next)
        {
            next = waiter.Next;
            _map.Send(handle, waiter);
        }

        End(check, null);
        return true;
    }

    private void Settle(OwnerCheck check, in ReadOutcome outcome, TimeSpan now)
    {
        var handle = check.Handle;
        if (check.IsOver || IsAnsweredWithoutStore(check))
            return;
        switch (outcome.Kind)
        {
            case ReadOutcomeKind.Read when outcome.Owner != handle.Owner:
                Lose(check, new FencedException(handle.Key, outcome.Owner.Epoch));
                break;
            case ReadOutcomeKind.Read when handle.Owner.IsClaimed || outcome.Version == check.Seen || outcome.Version == handle.Stored:
                End(check, null);
                break;
            case ReadOutcomeKind.Read when handle.Work is null && handle.Stored == check.Seen:
                Lose(check, new ConflictException(handle.Key));
                break;
            case ReadOutcomeKind.Refused:
                End(check, new UnconfirmedException(handle.Key, outcome.Error ?? StoreErrors.Refused()));
                break;
            default:
                // The question is repeated: the answer is uncertain, or the version read may be that of a write in flight.
                check.Cause = outcome.Error;
                _restingChecks.Enqueue(check, now + _retryDelay.After(++check.Attempts, outcome.RetryAfter));
                break;
        }
    }

    private void Lose(OwnerCheck check, NotAppliedException failure)
    {
        var handle = check.Handle;
        _map.Fail(handle, handle.Work is { } work ? Certainty(work, failure) : failure);
        End(check, failure);
    }

    private void ExpireChecks(TimeSpan now)
    {
        while (_checkDeadlines.TryTakeDue(now, out var check))
            End(check, new UnconfirmedException(check.Handle.Key, check.Cause ?? Trouble ?? StoreErrors.NoAnswer()));
    }

    private void EndChecks()
    {
        foreach (var check in _openChecks.ToArray())
            End(check, new StoppedException());
    }

    private void End(OwnerCheck check, StoutException? failure)
    {
        check.IsOver = true;
        _openChecks.Remove(check);
        if (_joinable.GetValueOrDefault(check.Handle) == check)
            _joinable.Remove(check.Handle);
        var waiters = check.Waiters.TakeAll();
        for (var waiter = waiters; waiter is not null; waiter = waiter.Next)
            waiter.Failure = failure;
        if (waiters is not null)
            _commands.Add(new LaneCommand(LaneCommandKind.Release, waiters, check.Handle, failure));
    }
}
