using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// Confirmed reads (the paper, section 4.1). Before the reply to a call without changes, the lane asks the store whether the key still has the handle's
/// owner. One request with such questions is in flight at a time, not counting slow ones. The next request carries all questions that gathered
/// meanwhile, so questions are batched without waiting for a departure.
/// </summary>
/// <param name="limits">The store's limits.</param>
/// <param name="map">The open handles and their changes.</param>
/// <param name="gate">Has the store's failures.</param>
/// <param name="commands">The core's commands.</param>
/// <param name="requests">The read requests in flight.</param>
/// <param name="retryDelay">The delays of repeated questions.</param>
/// <param name="patience">The time limit of a question.</param>
internal sealed class OwnerChecks(
    StorageLimits limits, DependencyMap map, DepartureGate gate, List<LaneCommand> commands, RequestsInFlight<ReadRequest> requests, RetryDelay retryDelay,
    TimeSpan patience)
{
    // The questions that have not been sent; further callers of the same handle join them.
    private readonly Dictionary<KeyHandle, OwnerCheck> _joinable = [];
    private readonly Queue<OwnerCheck> _checks = new();
    private readonly PriorityQueue<OwnerCheck, TimeSpan> _resting = new();
    private readonly HashSet<OwnerCheck> _open = [];
    private readonly DeadlineQueue<OwnerCheck> _deadlines = new(patience, static (check, _) => check.IsOver);
    private ReadRequest? _inFlight;

    /// <summary>Whether every question is answered.</summary>
    public bool IsEmpty => _open.Count == 0;

    /// <summary>Whether questions wait to be sent.</summary>
    public bool IsWaiting => _checks.Count > 0;

    /// <summary>The time at which the next question is repeated.</summary>
    public TimeSpan? NextResting => _resting.TryPeek(out _, out var due) ? due : null;

    /// <summary>The time limit of the oldest question.</summary>
    public TimeSpan? NextDeadline => _deadlines.Next;

    private bool CanSend => _checks.Count > 0 && requests.HasRoom && _inFlight is null or { IsOver: true } or { Place: not Place.Held };

    /// <summary>
    /// Releases the message once the store has confirmed that the handle's owner still has the key, in answer to a question sent after this call.
    /// </summary>
    public void Add(KeyHandle handle, Message message, TimeSpan now)
    {
        if (!_joinable.TryGetValue(handle, out var check))
        {
            check = _joinable[handle] = new OwnerCheck(handle);
            _checks.Enqueue(check);
            _open.Add(check);
            _deadlines.Add(check, 0, now);
        }

        check.Waiters.Enqueue(message);
    }

    public void Send(TimeSpan now)
    {
        while (_resting.TryPeek(out var resting, out var due) && due <= now)
            _checks.Enqueue(_resting.Dequeue());
        if (!CanSend || now < gate.HeldUntil)
            return;
        var request = new ReadRequest { Departure = new BatchDeparture(now, TimeSpan.Zero, ApplicationLimited: true, Keys: 0) };
        var most = Math.Min(limits.MaxBatchKeys, requests.MostKeys);
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
        _inFlight = request;
        requests.Send(request, isRepeat: false, now);
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
            map.Send(handle, waiter);
        }

        End(check, null);
        return true;
    }

    /// <summary>Processes the answer to a question.</summary>
    public void Settle(OwnerCheck check, in ReadOutcome outcome, TimeSpan now)
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
                _resting.Enqueue(check, now + retryDelay.After(++check.Attempts, outcome.RetryAfter));
                break;
        }
    }

    private void Lose(OwnerCheck check, NotAppliedException failure)
    {
        map.Interrupt(check.Handle, failure);
        End(check, failure);
    }

    /// <summary>Ends questions whose time limit has passed.</summary>
    public void Expire(TimeSpan now)
    {
        while (_deadlines.TryTakeDue(now, out var check))
            End(check, new UnconfirmedException(check.Handle.Key, check.Cause ?? gate.Trouble ?? StoreErrors.NoAnswer()));
    }

    /// <summary>Ends all questions, since the lane stops.</summary>
    public void Stop()
    {
        foreach (var check in _open.ToArray())
            End(check, new StoppedException());
    }

    private void End(OwnerCheck check, StoutException? failure)
    {
        check.IsOver = true;
        _open.Remove(check);
        if (_joinable.GetValueOrDefault(check.Handle) == check)
            _joinable.Remove(check.Handle);
        var waiters = check.Waiters.TakeAll();
        for (var waiter = waiters; waiter is not null; waiter = waiter.Next)
            waiter.Failure = failure;
        if (waiters is not null)
            commands.Add(new LaneCommand(LaneCommandKind.Release, waiters, check.Handle, failure));
    }
}
