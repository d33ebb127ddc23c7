using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Processes the outcomes of write requests: commits keys, fails them, or hands them to the retries.</summary>
/// <param name="limits">The store's limits.</param>
/// <param name="map">The dirty keys.</param>
/// <param name="gate">Takes the answers for the pacing law.</param>
/// <param name="requests">The write requests in flight.</param>
/// <param name="sender">Takes the requests back.</param>
/// <param name="retries">Takes the keys that are written again.</param>
/// <param name="deleted">Takes the handles of deleted keys.</param>
/// <param name="client">Made the bytes of late changes; null without one.</param>
internal sealed class WriteAnswers(
    StorageLimits limits, DependencyMap map, DepartureGate gate, RequestsInFlight<WriteRequest> requests, WriteSender sender, WriteRetries retries,
    DeletedKeys deleted, ILaneClient? client)
{
    /// <summary>The number of answered or abandoned requests.</summary>
    public long Requests { get; private set; }

    public long KeysWritten { get; private set; }

    public long BytesWritten { get; private set; }

    private static WriteOutcome TimedOut { get; } = WriteOutcome.Of(StoreErrors.TimedOut());

    /// <summary>Abandons requests whose time limit has passed.</summary>
    public void Expire(TimeSpan now)
    {
        while (requests.TryTakeDue(now, out var request))
        {
            request.IsAbandoned = true;
            LaneTelemetry.WriteIsGivenUp(request);
            for (var i = 0; i < request.Count; i++)
            {
                if (request[i].Late is not null)
                    client!.Abandon(request[i]);
            }

            Conclude(request, now);
        }
    }

    /// <summary>Processes the answer of a request, or its time-out.</summary>
    public void Conclude(WriteRequest request, TimeSpan now)
    {
        requests.End(request);
        Requests++;
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
                sender.Done(work);
            else if (outcome.Kind == WriteOutcomeKind.Committed)
                Commit(work, request.Batch[i], outcome.Token, now);
            else if (WriteRetries.IsUnresolved(outcome.Kind, request))
                retries.Repeat(request, i, outcome.Error, now);
            else
                NotApplied(work, outcome, request, now);
        }

        retries.EnqueueAgain();
        requests.Measure(answer, request.Count);
        gate.Answered(answer.ToRequest(request, now), answer.Error, hasCommitted, answer.Refusal);
        retries.RestRepeats(now);
        sender.Recycle(request);
    }

    private void Commit(PendingWork work, in KeyWrite write, object? token, TimeSpan now)
    {
        var handle = work.Handle;
        KeysWritten++;
        BytesWritten += Math.Max(0, handle.LastBytes);
        map.Commit(work, write.Next, token, limits, now);
        sender.Done(work);
        if (write.Kind == KeyWriteKind.Delete)
            deleted.Add(handle, now);
    }

    private void NotApplied(PendingWork work, in WriteOutcome outcome, WriteRequest request, TimeSpan now)
    {
        var key = work.Handle.Key;
        switch (outcome.Kind)
        {
            case WriteOutcomeKind.Busy:
            case WriteOutcomeKind.LimitExceeded when request.Count == 1:
                retries.HoldBack(work, outcome, now);
                break;
            case WriteOutcomeKind.Overloaded or WriteOutcomeKind.Unreachable or WriteOutcomeKind.LimitExceeded:
                retries.Requeue(work);
                break;
            case WriteOutcomeKind.Fenced:
                Fail(new FencedException(key, outcome.StoredEpoch));
                break;
            case WriteOutcomeKind.Conflict:
                Fail(new ConflictException(key));
                break;
            default:
                Fail(new NotAppliedException(key, NotAppliedReason.StoreRefused, outcome.Error ?? StoreErrors.Refused()));
                break;
        }

        sender.Done(work);

        // Another client has written or claimed the key. An earlier attempt of unknown outcome may have been applied before that.
        void Fail(NotAppliedException failure) =>
            map.Fail(work.Handle, request.UnknownAttempts > 0 ? new OutcomeUnknownException(key, failure) : failure);
    }
}
