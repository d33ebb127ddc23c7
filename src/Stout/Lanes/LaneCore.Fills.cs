using Stout.Storage;

namespace Stout.Lanes;

/// <content>Filling keys: one read and one Deserialize callback, however many ask.</content>
internal sealed partial class LaneCore
{
    private readonly Queue<KeyFill> _reads = new();
    private readonly DeadlineQueue<KeyFill> _fillDeadlines;
    private readonly DeadlineQueue<ReadRequest> _readDeadlines;
    private int _fillsUnderWay;
    private int _readsInFlight;
    private long _keysRead;

    /// <summary>Fills a key, or opens it as absent. What is in memory under the same epoch is never overwritten.</summary>
    public void Fill(FillRequest request, bool asAbsent, TimeSpan now)
    {
        if (_stopping)
        {
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, Failure: new StoppedException()));
            return;
        }

        var handle = _map.Find(request.Key);
        if (handle is not null && request.Epoch > handle.Epoch)
        {
            Fence(handle);
            handle = null;
        }

        if (handle is null)
            Begin(request, asAbsent, now);
        else if (request.Epoch < handle.Epoch)
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, Failure: new FencedException(request.Key)));
        else if (handle.Fill is { } fill)
            fill.Waiters.Add(request);
        else
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, handle));
    }

    /// <summary>The Deserialize callback has ended.</summary>
    public void Deserialized(KeyFill fill, Exception? error)
    {
        if (fill.IsOver)
            return;
        if (error is not null)
        {
            FailFill(fill, new FillFailedException(fill.Handle.Key, error));
            return;
        }

        _fillsUnderWay--;
        fill.Handle.Open(fill.Outcome.Stamp, fill.Outcome.Token);
        if (!fill.Outcome.Exists && !fill.Outcome.Stamp.IsAbsent)
            NoteDeletion(fill.Handle, fill.AskedAt);
        // Its deadline may keep the fill for a while; the bytes need not stay.
        fill.Outcome = default;
        foreach (var waiter in fill.Waiters)
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, waiter, fill.Handle));
    }

    /// <summary>A read request has been answered; an exception of the proxy was laid into the batch.</summary>
    public void ReadAnswered(ReadRequest request, TimeSpan now)
    {
        if (!request.IsAbandoned)
            Conclude(request, now);
    }

    private void Conclude(ReadRequest request, TimeSpan now)
    {
        request.IsOver = true;
        _readsInFlight--;
        var answer = new AnswerSummary();
        for (var i = 0; i < request.Fills.Count; i++)
        {
            var outcome = request.IsAbandoned ? ReadOutcome.Of(StoreErrors.TimedOut()) : request.Batch.OutcomeOf(i);
            answer.Add(outcome, isAlone: request.Fills.Count == 1);
            if (!request.Fills[i].IsOver)
                Settle(request.Fills[i], outcome, isAlone: request.Fills.Count == 1, now);
        }

        _gate.Answered(answer.ToRequest(request, now), answer.Error);
    }

    private void Settle(KeyFill fill, in ReadOutcome outcome, bool isAlone, TimeSpan now)
    {
        switch (outcome.Kind)
        {
            case ReadOutcomeKind.Read:
                _keysRead++;
                fill.Outcome = outcome;
                fill.AskedAt = now;
                fill.Handle.LastBytes = SizeOf(outcome.Parts);
                _fillDeadlines.Add(fill, 0, now);
                _commands.Add(new LaneCommand(LaneCommandKind.Deserialize, fill, fill.Handle));
                break;
            case ReadOutcomeKind.Fenced:
                FailFill(fill, new FencedException(fill.Handle.Key));
                break;
            case ReadOutcomeKind.Refused:
                FailFill(fill, new FillFailedException(fill.Handle.Key, outcome.Error!));
                break;
            default:
                // Reading is harmless, so it is tried again whatever may have become of it; but not for ever.
                if (outcome.Kind != ReadOutcomeKind.Overloaded && now - fill.RequestedAt >= _options.GiveUpAfter)
                    FailFill(fill, new FillFailedException(fill.Handle.Key, outcome.Error ?? StoreErrors.NoAnswer()));
                else if (outcome.Kind == ReadOutcomeKind.Busy || (outcome.Kind == ReadOutcomeKind.LimitExceeded && isAlone))
                    HoldBack(fill, outcome, now);
                else
                    _reads.Enqueue(fill);
                break;
        }
    }

    private void Begin(FillRequest request, bool asAbsent, TimeSpan now)
    {
        var handle = new KeyHandle(_intake, request.Key, request.Epoch);
        _map.Add(handle);
        if (asAbsent)
        {
            handle.Open(Stamp.Absent, null);
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, handle));
            return;
        }

        var fill = new KeyFill(handle, NextStamp(request.Epoch), now) { Requester = request.Requester };
        fill.Waiters.Add(request);
        handle.BeginFill(fill);
        _fillsUnderWay++;
        _reads.Enqueue(fill);
    }

    /// <summary>The caller holds a newer ownership: nothing of the old one may become durable, and no fill may join its read.</summary>
    private void Fence(KeyHandle handle)
    {
        var fenced = new FencedException(handle.Key);
        if (handle.Fill is { } fill)
            FailFill(fill, fenced);
        else
            _map.Fail(handle, handle.Work is { } work ? Certainty(work, fenced) : fenced);
    }

    private void FailFill(KeyFill fill, StoutException failure)
    {
        _fillsUnderWay--;
        _map.Remove(fill.Handle, failure);
        foreach (var waiter in fill.Waiters)
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, waiter, Failure: failure));
    }

    private void SendReads(Pacing.BatchDeparture departure, TimeSpan now)
    {
        while (CanRead)
        {
            var request = new ReadRequest { SentAt = now, Departure = departure };
            while (request.Fills.Count < _limits.MaxBatchKeys && HasReads)
            {
                var fill = _reads.Dequeue();
                request.Fills.Add(fill);
                request.Batch.Add(new KeyRead(fill.Handle.Key, fill.Claim));
            }

            _readsInFlight++;
            _readDeadlines.Add(request, 0, now);
            _commands.Add(new LaneCommand(LaneCommandKind.SendRead, request));
        }
    }

    private bool CanRead => _readsInFlight < _gate.MaxInFlight && HasReads;

    /// <summary>Whether a read waits; fills that have ended meanwhile are passed over.</summary>
    private bool HasReads
    {
        get
        {
            while (_reads.TryPeek(out var fill))
            {
                if (!fill.IsOver)
                    return true;
                _reads.Dequeue();
            }

            return false;
        }
    }

    private static int SizeOf(IReadOnlyList<StoredPart> parts)
    {
        long bytes = 0;
        for (var i = 0; i < parts.Count; i++)
            bytes += parts[i].Value.Length;
        return (int)Math.Min(bytes, int.MaxValue);
    }
}
