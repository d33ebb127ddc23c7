using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Fills keys: all callers of a key share one read. The lane's client, if there is one, takes the key up before the fill completes.</content>
internal sealed partial class LaneCore
{
    private readonly ReadQueue _reads;

    // Fills whose read timed out. They are read again in smaller requests, outside the law's in-flight limit.
    private readonly ReadQueue _rereads;

    // The queue's limit is 0, so its Next is the time of the oldest fill's request. SendBy computes the deadline from this time.
    private readonly DeadlineQueue<KeyFill> _fillWaits = new(TimeSpan.Zero, static (fill, _) => fill.IsOver);
    // A call whose answer is no longer used keeps its memory until it ends. At this number of such calls, a key's next read waits for the end of one.
    // More than one, since a call may hang.
    private const int MostLateReads = 2;

    private readonly DeadlineQueue<ReadRequest> _slowReads;
    private readonly DeadlineQueue<ReadRequest> _readDeadlines;
    private int _fillsUnderWay;
    private long _keysRead;

    /// <summary>Fills a key as the request says. Only a request with a new claim fails the key's undurable changes; all others keep them.</summary>
    public void Fill(FillRequest request, TimeSpan now)
    {
        if (_stopping)
        {
            Refuse(request, new StoppedException());
            return;
        }

        var handle = _map.Find(request.Key);
        if (handle is not null && request.Claim is not null)
        {
            Fence(handle);
            handle = null;
        }

        // If all callers of a fill have stopped waiting, a new fill begins: no caller has received the old fill's object.
        if (handle?.Fill is { } old && IsGivenUp(old))
            handle = null;
        if (handle is null)
            Begin(request, now);
        else if (request.Kind == FillKind.Refresh)
            Refresh(handle, request, now);
        else if (handle.Fill is { } fill)
            fill.Add(request);
        else
            Complete(request, new OpenedKey.AlreadyOpen(handle));
    }

    /// <summary>
    /// Processes the cancellation of a caller of <see cref="Fill"/>, which takes no result. A fill without callers ends. If the request was completed in the
    /// instant of the cancellation, and no other caller has the handle, the handle is closed.
    /// </summary>
    public void Cancel(FillRequest request)
    {
        if (request.IsCancelled)
            return;
        request.IsCancelled = true;
        if (request.Opened is { Handle: var handle })
        {
            if (--handle.Callers == 0 && handle is { Phase: KeyPhase.Open, Work: null })
                _map.Remove(handle, null);
        }
        else if (request.Fill is { } fill)
        {
            IsGivenUp(fill);
        }
    }

    /// <summary>Completes a fill whose key the client has taken up, or could not take up.</summary>
    public void TakenUp(KeyFill fill, Exception? error)
    {
        if (fill.IsOver)
            return;
        if (error is not null)
            FailFill(fill, new FillFailedException(fill.Handle.Key, error));
        if (IsGivenUp(fill))
            return;

        _fillsUnderWay--;
        _readBudget.End(fill);
        fill.Handle.Open();
        if (!fill.Outcome.Exists && fill.Outcome.Header != default)
            NoteDeletion(fill.Handle, fill.AskedAt);
        // A take-over reads no parts, since its caller knows them.
        OpenedKey opened = fill.Kind == FillKind.TakeOver ? new OpenedKey.AlreadyOpen(fill.Handle)
            : fill.Outcome.Exists ? new OpenedKey.Read(fill.Handle, fill.Outcome.Parts)
            : new OpenedKey.Absent(fill.Handle);
        foreach (var waiter in fill.Waiters)
            Complete(waiter, opened);
        // The deadline queue may keep the fill for a while, so its bytes, which its callers' results have too, are released now.
        fill.Outcome = default;
        fill.Waiters.Clear();
    }

    /// <summary>Processes the answer of a read request. An exception of the proxy is already recorded in the batch.</summary>
    public void ReadAnswered(ReadRequest request, TimeSpan now)
    {
        if (!request.IsAbandoned)
            Conclude(request, now);
        else
            EndLateRead(request);
    }

    /// <summary>Takes up the fills that waited for the end of an abandoned read.</summary>
    private void EndLateRead(ReadRequest request)
    {
        foreach (var fill in request.Fills)
        {
            fill.LateReads--;
            if (!fill.AwaitsLateRead)
                continue;
            fill.AwaitsLateRead = false;
            if (!IsGivenUp(fill))
                _rereads.Add(fill);
        }
    }

    private void Conclude(ReadRequest request, TimeSpan now)
    {
        request.IsOver = true;
        _readPlaces.Free(request);
        var answer = new AnswerSummary();
        for (var i = 0; i < request.Batch.Count; i++)
        {
            var outcome = request.IsAbandoned ? ReadOutcome.Of(StoreErrors.TimedOut()) : request.Batch.OutcomeOf(i);
            answer.Add(outcome);
            if (i < request.Fills.Count)
                request.Fills[i].Request = null; // The request keeps the bytes of all its keys.
            if (i >= request.Fills.Count)
                Settle(request.Checks[i], outcome, now);
            else if (!request.Fills[i].IsOver)
                Settle(request.Fills[i], outcome, request.Fills.Count, now);
        }

        Measure(_readSize, answer, request.Batch.Count);
        if (request.Fills.Count > 0)
            _readBudget.Answered(answer.Read.Keys, answer.Read.Bytes);
        _gate.Answered(answer.ToRequest(request, now), answer.Error, refusal: answer.Refusal);
    }

    private void Settle(KeyFill fill, in ReadOutcome outcome, int keys, TimeSpan now)
    {
        switch (outcome.Kind)
        {
            case ReadOutcomeKind.Read:
                _keysRead++;
                if (OwnerFault(fill, outcome) is { } fenced)
                {
                    FailFill(fill, fenced);
                    break;
                }

                var bytes = SizeOf(outcome.Parts);
                if (ObjectTooLargeException.Of(fill.Handle.Key, bytes, outcome.Parts.Count, _options) is { } tooLarge)
                {
                    FailFill(fill, tooLarge);
                    break;
                }

                fill.Outcome = outcome;
                fill.AskedAt = now;
                fill.Handle.Take(outcome);
                _readBudget.Read(fill, bytes);
                fill.Handle.LastBytes = outcome.Exists ? (int)Math.Min(bytes, int.MaxValue) : -1;
                // A client joins here, before the fill completes: the core joins the callers, and the read counts until the object exists.
                if (fill.Kind == FillKind.TakeOver || _client is null)
                    TakenUp(fill, null);
                else
                    _client.TakeUp(fill, now);
                break;
            case ReadOutcomeKind.Fenced:
                FailFill(fill, new FencedException(fill.Handle.Key, outcome.Owner.Epoch));
                break;
            case ReadOutcomeKind.Refused:
                FailFill(fill, outcome.Error as ObjectTooLargeException ?? (StoutException)new FillFailedException(fill.Handle.Key, outcome.Error ?? StoreErrors.Refused()));
                break;
            default:
                // Reads are harmless and are retried after any error, until the time limit.
                var isLate = outcome.Kind != ReadOutcomeKind.Overloaded && now - fill.RequestedAt >= _options.UnreachableTimeout;
                if (isLate || SendBy(fill.RequestedAt) <= now)
                {
                    FailFill(fill, new FillFailedException(fill.Handle.Key, outcome.Error ?? StoreErrors.NoAnswer()));
                    break;
                }

                _readBudget.End(fill);
                if (outcome.Kind == ReadOutcomeKind.Busy || (outcome.Kind == ReadOutcomeKind.LimitExceeded && keys == 1))
                {
                    HoldBack(fill, outcome, now);
                    break;
                }

                if (outcome.Kind == ReadOutcomeKind.Unknown)
                    fill.MostTogether = PieceOf(keys);
                if (fill.LateReads >= MostLateReads)
                {
                    // The deadline of the wait for sending still holds.
                    fill.AwaitsLateRead = fill.IsWaiting = true;
                    break;
                }

                (fill.MostTogether < int.MaxValue ? _rereads : _reads).Add(fill);
                break;
        }
    }

    /// <summary>
    /// Reads the key of an open handle again, under the handle's own claim. With undurable changes nothing is read, since memory is ahead of the
    /// store.
    /// </summary>
    private void Refresh(KeyHandle handle, FillRequest request, TimeSpan now)
    {
        if (handle.Fill is { } fill)
        {
            if (fill.Kind == FillKind.Refresh && fill.Owner == request.Owner)
                fill.Add(request);
            else
                Refuse(request, new FencedException(request.Key));
        }
        else if (handle.Owner != request.Owner)
        {
            Refuse(request, new FencedException(request.Key, handle.Epoch));
        }
        else if (handle.Work is not null)
        {
            Complete(request, new OpenedKey.AlreadyOpen(handle));
        }
        else
        {
            _map.Remove(handle, null);
            Begin(request, now);
        }
    }

    private void Complete(FillRequest request, OpenedKey opened)
    {
        if (request.IsCancelled)
            return;
        opened.Handle.Callers++;
        request.Opened = opened;
        _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, opened.Handle));
    }

    private void Refuse(FillRequest request, StoutException failure) =>
        _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, Failure: failure));

    private void Begin(FillRequest request, TimeSpan now)
    {
        var handle = _newHandle(request.Key);
        _map.Add(handle);
        if (request.Kind == FillKind.Absent)
        {
            handle.Open();
            Complete(request, new OpenedKey.Absent(handle));
            return;
        }

        var fill = new KeyFill(handle, request, now);
        fill.Add(request);
        handle.BeginFill(fill);
        _fillsUnderWay++;
        _fillWaits.Add(fill, 0, now);
        _reads.Add(fill);
    }

    /// <summary>
    /// Compares the stored owner, and for a take-over the version, with those that the fill needs. Returns the fill's failure; null if they match.
    /// </summary>
    private static FencedException? OwnerFault(KeyFill fill, in ReadOutcome outcome)
    {
        var isOwn = fill.Kind switch
        {
            FillKind.Claim => outcome.Owner.Claim == fill.Claim!.Id,
            FillKind.TakeOver => outcome.Owner.Claim == fill.Claim!.Id && outcome.Version == fill.Claim.OnlyIf!.Value.Version,
            FillKind.Refresh => outcome.Owner == fill.Owner,
            _ => !outcome.Owner.IsClaimed,
        };
        return isOwn ? null : new FencedException(fill.Handle.Key, outcome.Owner.Epoch);
    }

    /// <summary>
    /// Closes the handle of a key that is claimed anew, and fails its fill or its undurable changes. Changes under the earlier owner must not become
    /// durable, and a caller must not join the earlier fill.
    /// </summary>
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
        _readBudget.End(fill);
        _map.Remove(fill.Handle, failure);
        if (fill.Request is { IsOver: false, Checks.Count: 0 } request && request.Fills.TrueForAll(static fill => fill.IsOver))
            _commands.Add(new LaneCommand(LaneCommandKind.CancelRead, request));
        foreach (var waiter in fill.Waiters)
            _commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, waiter, Failure: failure));
    }

    /// <summary>Whether a fill has ended. Ends a fill whose callers have all stopped waiting.</summary>
    private bool IsGivenUp(KeyFill fill)
    {
        if (!fill.IsOver && fill.IsAbandoned)
            FailFill(fill, new FillFailedException(fill.Handle.Key, new OperationCanceledException()));
        return fill.IsOver;
    }

    private void SendReads(Pacing.BatchDeparture departure, TimeSpan now)
    {
        while (CanReread)
            SendRead(_rereads, departure, now);
        while (CanReadFirst)
            SendRead(_reads, departure, now);
    }

    private void SendRead(ReadQueue reads, Pacing.BatchDeparture departure, TimeSpan now)
    {
        var request = new ReadRequest { SentAt = now, Departure = departure };
        var most = Math.Min(_limits.MaxBatchKeys, _readSize.Keys);
        while (request.Fills.Count < most && reads.First is { } fill && _readBudget.HasRoom(request.Fills.Count))
        {
            // A read that timed out is repeated with fewer other keys, or alone.
            if (fill.MostTogether <= request.Fills.Count)
                break;
            most = Math.Min(most, fill.MostTogether);
            reads.Take();
            _readBudget.Begin(fill);
            request.Fills.Add(fill);
            fill.Request = request;
            request.Batch.Add(new KeyRead(fill.Handle.Key, fill.Claim is null ? KeyReadKind.Peek : KeyReadKind.Claim, fill.Claim) { Bounds = _options });
        }

        _readPlaces.Take(request, isRepeat: ReferenceEquals(reads, _rereads));
        _slowReads.Add(request, 0, now);
        _readDeadlines.Add(request, 0, now);
        _commands.Add(new LaneCommand(LaneCommandKind.SendRead, request));
    }

    private bool HasReads => _reads.First is not null || _rereads.First is not null;

    private bool CanRead => CanReadFirst || CanReread;

    private bool CanReadFirst => _readPlaces.HasRoom && _reads.First is not null && _readBudget.HasRoom(0);

    private bool CanReread => _rereads.First is not null && _readPlaces.HasRoomForRepeat && _readBudget.HasRoom(0);

    private static long SizeOf(IReadOnlyList<StoredPart> parts)
    {
        long bytes = 0;
        for (var i = 0; i < parts.Count; i++)
            bytes += parts[i].Value.Length;
        return bytes;
    }
}
