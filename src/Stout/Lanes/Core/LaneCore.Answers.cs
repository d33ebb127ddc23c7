using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Processes the outcomes of write requests.</content>
internal sealed partial class LaneCore
{
    private readonly DeadlineQueue<WriteRequest> _writeDeadlines;
    private readonly DeadlineQueue<WriteRequest> _slowWrites;
    private readonly List<PendingWork> _requeued = [];
    private long _writeRequests;
    private long _keysWritten;
    private long _bytesWritten;

    private static WriteOutcome TimedOut { get; } = WriteOutcome.Of(StoreErrors.TimedOut());

    /// <summary>Processes the answer of a write request. An exception of the proxy is already recorded in the batch.</summary>
    public void WriteAnswered(WriteRequest request, TimeSpan now)
    {
        // The late answer of an abandoned request is ignored: its keys are sent again, and the stamps make a second write harmless.
        if (!request.IsAbandoned)
            Conclude(request, now);
    }

    private void Conclude(WriteRequest request, TimeSpan now)
    {
        request.IsOver = true;
        _writes.Free(request);
        _writeRequests++;
        var answer = new AnswerSummary();
        var hasCommitted = false;
        for (var i = 0; i < request.Count; i++)
        {
            var work = request[i];
            // The proxy may still set outcomes of an abandoned request, so they are not read.
            var outcome = request.IsAbandoned ? TimedOut : request.Batch.OutcomeOf(i);
            answer.Add(outcome);
            hasCommitted |= outcome.Kind == WriteOutcomeKind.Committed;
            if (work.Handle.IsClosed)
                Done(work);
            else if (outcome.Kind == WriteOutcomeKind.Committed)
                Commit(work, request.Batch[i], outcome.Token, now);
            else if (IsUnresolved(outcome.Kind, request))
                AddToRepeat(request, i, outcome.Error, now);
            else
                NotApplied(work, outcome, request, now);
        }

        EnqueueAgain();
        Measure(_writeSize, answer, request.Count);
        _gate.Answered(answer.ToRequest(request, now), answer.Error, hasCommitted, answer.Refusal);
        RestRepeat(now);
        Recycle(request);
    }

    /// <summary>
    /// Raises the bound of the request size after an answer, and lowers it after a failure of the whole request. A request that failed as a whole may have
    /// been too large for the time limit.
    /// </summary>
    private static void Measure(RequestSize size, in AnswerSummary answer, int keys)
    {
        if (answer.NotAnswered < keys)
            size.Answered(keys);
        else if (answer.Outcome != StoreRequestOutcome.Unreachable)
            size.Failed(keys);
    }

    private void Commit(PendingWork work, in KeyWrite write, object? token, TimeSpan now)
    {
        var handle = work.Handle;
        _keysWritten++;
        _bytesWritten += Math.Max(0, handle.LastBytes);
        _map.Commit(work, write.Next, token, _limits, now);
        Done(work);
        if (write.Kind == KeyWriteKind.Delete)
            NoteDeletion(handle, now);
    }

    private void NotApplied(PendingWork work, in WriteOutcome outcome, WriteRequest request, TimeSpan now)
    {
        var key = work.Handle.Key;
        if (outcome.Kind == WriteOutcomeKind.Busy || (outcome.Kind == WriteOutcomeKind.LimitExceeded && request.Count == 1))
        {
            HoldBack(work, outcome, now);
            Done(work);
            return;
        }

        if (outcome.Kind is WriteOutcomeKind.Overloaded or WriteOutcomeKind.Unreachable or WriteOutcomeKind.LimitExceeded)
        {
            _map.Requeue(work);
            Done(work);
            _requeued.Add(work);
            return;
        }

        NotAppliedException failure = outcome.Kind switch
        {
            WriteOutcomeKind.Fenced => new FencedException(key, outcome.StoredEpoch),
            WriteOutcomeKind.Conflict => new ConflictException(key),
            _ => new NotAppliedException(key, NotAppliedReason.StoreRefused, outcome.Error ?? StoreErrors.Refused()),
        };

        // Another client has written or claimed the key. An earlier attempt of unknown outcome may have been applied before that.
        _map.Fail(work.Handle, request.UnknownAttempts > 0 ? new OutcomeUnknownException(key, failure) : failure);
        Done(work);
    }

    /// <summary>
    /// Puts requeued keys back into the queue of dirty keys, by age. The search is short, since the oldest keys are sent first: only other requeued or
    /// deferred keys are older.
    /// </summary>
    private void EnqueueAgain()
    {
        var place = _map.Dirty.First;
        foreach (var work in _requeued)
        {
            while (place is not null && place.DirtySince.At < work.DirtySince.At)
                place = place.Next;
            _map.Dirty.AddBefore(place, work);
        }

        _requeued.Clear();
    }

    private void ExpireRequests(TimeSpan now)
    {
        while (_slowWrites.TryTakeDue(now, out var request))
            _writes.StepAside(request);
        while (_slowReads.TryTakeDue(now, out var request))
            _readPlaces.StepAside(request);

        while (_writeDeadlines.TryTakeDue(now, out var request))
        {
            request.IsAbandoned = true;
            LaneTelemetry.WriteIsGivenUp(request);
            for (var i = 0; i < request.Count; i++)
            {
                if (request[i].Late is not null)
                    _client!.Abandon(request[i]);
            }


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
            foreach (var fill in request.Fills)
                fill.LateReads++;
            _commands.Add(new LaneCommand(LaneCommandKind.CancelRead, request));
            Conclude(request, now);
        }
    }
}
