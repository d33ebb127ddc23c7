using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes;

/// <content>From answered to durable: outcomes, repeated attempts, giving up.</content>
internal sealed partial class LaneCore
{
    private const int LeastTrim = 1024;

    private readonly DeadlineQueue<WriteRequest> _writeDeadlines;
    private readonly PriorityQueue<WriteRequest, TimeSpan> _unresolved = new();
    private readonly Queue<(KeyHandle Handle, Stamp Deletion, TimeSpan Due)> _deleted = new();
    private readonly List<PendingWork> _takenBack = [];
    private int _trimDeletedAt = LeastTrim;
    private int _writesInFlight;
    private long _writeRequests;
    private long _keysWritten;
    private long _bytesWritten;

    private static WriteOutcome TimedOut { get; } = WriteOutcome.Of(StoreErrors.TimedOut());

    private TimeSpan? NextResend => _unresolved.TryPeek(out var waiting, out var due)
        ? Earlier(Later(due, _gate.HeldUntil), waiting.UnknownSince + _options.ResolveUnknownFor)
        : null;

    private TimeSpan? NextGiveUp =>
        _gate.UnreachableSince is { } since && _map.Dirty.First is { } first ? Later(since, first.DirtySince.At) + _options.GiveUpAfter : null;

    private TimeSpan? NextDeletedClose => _deleted.TryPeek(out var first) ? first.Due : null;

    /// <summary>A write request has been answered; an exception of the proxy was laid into the batch.</summary>
    public void WriteAnswered(WriteRequest request, TimeSpan now)
    {
        // An answer that came too late: the keys have been sent again, and the stamps make that harmless.
        if (!request.IsAbandoned)
            Conclude(request, now);
    }

    private void Conclude(WriteRequest request, TimeSpan now)
    {
        request.IsOver = true;
        _writesInFlight--;
        _writeRequests++;
        var answer = new AnswerSummary();
        WriteRequest? repeat = null;
        var hasCommitted = false;
        for (var i = 0; i < request.Count; i++)
        {
            var entry = request[i];
            // Whoever was given up may still be setting outcomes: they are not looked at.
            var outcome = request.IsAbandoned ? TimedOut : request.Batch.OutcomeOf(i);
            answer.Add(outcome, isAlone: request.Count == 1);
            hasCommitted |= outcome.Kind == WriteOutcomeKind.Committed;
            if (entry.Work.Handle.IsClosed)
                Done(entry.Source);
            else if (outcome.Kind == WriteOutcomeKind.Committed)
                Commit(entry, request.Batch[i], outcome.Token, now);
            else if (IsUnresolved(outcome.Kind, request))
                (repeat ??= Repetition(request, now)).Add(entry, request.Batch[i], request.Batch.PartsOf(i));
            else
                NotApplied(entry, outcome, request, now);
        }

        PutBack();
        _gate.Answered(answer.ToRequest(request, now), answer.Error, saysCostOfWrites: hasCommitted);
        if (repeat is not null)
        {
            repeat.UnknownCause = answer.Error;
            _unresolved.Enqueue(repeat, now + _retryDelay.After(repeat.UnknownAttempts));
        }

        Recycle(request);
    }

    /// <summary>
    /// Whether it still is unknown what became of a write. Once it is, only the store's stamps can settle it: that a later attempt was
    /// not taken says nothing of the earlier one.
    /// </summary>
    private static bool IsUnresolved(WriteOutcomeKind outcome, WriteRequest request) => outcome switch
    {
        WriteOutcomeKind.Unknown => true,
        WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced => false,
        _ => request.UnknownAttempts > 0,
    };

    private void Commit(in WriteEntry entry, in KeyWrite write, object? token, TimeSpan now)
    {
        var handle = entry.Work.Handle;
        _keysWritten++;
        _bytesWritten += entry.Work.CountedBytes;
        _map.Commit(entry.Work, write.Next, token);
        Done(entry.Source);
        if (write.Kind == KeyWriteKind.Delete)
            NoteDeletion(handle, now);
    }

    private void NotApplied(in WriteEntry entry, in WriteOutcome outcome, WriteRequest request, TimeSpan now)
    {
        var work = entry.Work;
        var key = work.Handle.Key;
        Done(entry.Source);
        if (outcome.Kind == WriteOutcomeKind.Busy || (outcome.Kind == WriteOutcomeKind.LimitExceeded && request.Count == 1))
        {
            HoldBack(work, outcome, now);
            return;
        }

        if (outcome.Kind is WriteOutcomeKind.Overloaded or WriteOutcomeKind.Unreachable or WriteOutcomeKind.LimitExceeded)
        {
            _map.TakeBack(work);
            _takenBack.Add(work);
            return;
        }

        NotAppliedException failure = outcome.Kind switch
        {
            WriteOutcomeKind.Fenced => new FencedException(key),
            WriteOutcomeKind.Conflict => new ConflictException(key),
            _ => new NotAppliedException(key, NotAppliedReason.StoreRefused, outcome.Error ?? StoreErrors.Refused()),
        };

        // Someone has written the key since an attempt of which nothing is known: that attempt may have come before.
        _map.Fail(work.Handle, request.UnknownAttempts > 0 ? new OutcomeUnknownException(key, failure) : failure);
    }

    /// <summary>
    /// What was taken back is dirty again, each key behind those that have waited longer: giving up looks at the first alone. Older ones
    /// are few, since the oldest are sent first: keys of other requests that were taken back, or that were left.
    /// </summary>
    private void PutBack()
    {
        var place = _map.Dirty.First;
        foreach (var work in _takenBack)
        {
            while (place is not null && place.DirtySince.At < work.DirtySince.At)
                place = place.Next;
            _map.Dirty.AddBefore(place, work);
        }

        _takenBack.Clear();
    }

    /// <summary>The same keys, stamps and bytes again.</summary>
    private WriteRequest Repetition(WriteRequest request, TimeSpan now)
    {
        var repeat = NewRequest();
        repeat.Departure = request.Departure;
        repeat.UnknownSince = request.UnknownAttempts == 0 ? now : request.UnknownSince;
        repeat.UnknownAttempts = request.UnknownAttempts + 1;
        return repeat;
    }

    private void ResendUnresolved(TimeSpan now)
    {
        while (_unresolved.TryPeek(out var waiting, out var due))
        {
            var isOver = now - waiting.UnknownSince >= _options.ResolveUnknownFor;
            if (!isOver && (Later(due, _gate.HeldUntil) > now || _writesInFlight >= _gate.MaxInFlight))
                return;
            _unresolved.Dequeue();
            if (isOver)
            {
                FailUnresolved(waiting);
                continue;
            }

            var request = NewRequest();
            request.Departure = waiting.Departure;
            request.UnknownSince = waiting.UnknownSince;
            request.UnknownAttempts = waiting.UnknownAttempts;
            for (var i = 0; i < waiting.Count; i++)
            {
                if (waiting[i].Work.Handle.IsClosed)
                    Done(waiting[i].Source);
                else
                    request.Add(waiting[i], waiting.Batch[i], waiting.Batch.PartsOf(i));
            }

            Recycle(waiting);
            Send(request, now);
        }
    }

    private void FailUnresolved(WriteRequest request)
    {
        for (var i = 0; i < request.Count; i++)
        {
            var handle = request[i].Work.Handle;
            Done(request[i].Source);
            if (!handle.IsClosed)
                _map.Fail(handle, new OutcomeUnknownException(handle.Key, request.UnknownCause ?? StoreErrors.NoAnswer()));
        }

        Recycle(request);
    }

    private void ExpireRequests(TimeSpan now)
    {
        while (_writeDeadlines.TryTakeDue(now, out var request))
        {
            request.IsAbandoned = true;
            LaneTelemetry.WriteIsGivenUp(request);
            for (var i = 0; i < request.Count; i++)
                request[i].Source.Abandon();
            Conclude(request, now);
        }

        while (_readDeadlines.TryTakeDue(now, out var request))
        {
            if (request.Batch.TakeProgress())
            {
                _readDeadlines.Add(request, 0, now);
                continue;
            }

            request.IsAbandoned = true;
            Conclude(request, now);
        }
    }

    /// <summary>What has waited too long for a store that can't be reached was certainly not sent.</summary>
    private void GiveUpUnreachable(TimeSpan now)
    {
        while (NextGiveUp is { } due && due <= now)
        {
            var handle = _map.Dirty.First!.Handle;
            _map.Fail(handle, new NotAppliedException(
                handle.Key, NotAppliedReason.StoreUnreachable, _gate.LastError ?? StoreErrors.Unreachable()));
        }
    }

    /// <summary>The handle's key is deleted in the store, under the stamp that the handle expects.</summary>
    private void NoteDeletion(KeyHandle handle, TimeSpan now)
    {
        if (_limits.DeletedHeaderRetention is not { } retention)
            return;
        if (_deleted.Count >= _trimDeletedAt)
            TrimDeleted();
        _deleted.Enqueue((handle, handle.Stored, now + (retention / 2)));
    }

    /// <summary>Lets go of handles that have been closed or written since; doubling the next size makes it cheap for each.</summary>
    private void TrimDeleted()
    {
        for (var left = _deleted.Count; left > 0; left--)
        {
            var entry = _deleted.Dequeue();
            if (!entry.Handle.IsClosed && entry.Handle.Stored == entry.Deletion)
                _deleted.Enqueue(entry);
        }

        _trimDeletedAt = Math.Max(LeastTrim, 2 * _deleted.Count);
    }

    /// <summary>The store forgets a deletion in the end; a handle that expects to find it must be gone by then.</summary>
    private void CloseDeletedHandles(TimeSpan now)
    {
        while (_deleted.TryPeek(out var first) && first.Due <= now)
        {
            _deleted.Dequeue();
            if (first.Handle is { Phase: KeyPhase.Open, Work: null } handle && handle.Stored == first.Deletion)
                _map.Remove(handle, null);
        }
    }

    private static TimeSpan Earlier(TimeSpan a, TimeSpan b) => a < b ? a : b;

    private static TimeSpan Later(TimeSpan a, TimeSpan b) => a > b ? a : b;
}
