using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Fills keys: all callers of a key share one read. The lane's client, if there is one, takes the key up before the fill completes.</summary>
/// <param name="newHandle">Creates the handle of a key.</param>
/// <param name="options">Validated options.</param>
/// <param name="map">The open handles and their changes.</param>
/// <param name="gate">Has the store's failures.</param>
/// <param name="times">The time limits.</param>
/// <param name="reads">Reads the keys.</param>
/// <param name="deleted">Takes the handles of deleted keys.</param>
/// <param name="commands">The core's commands.</param>
/// <param name="client">Takes up read keys; null without one.</param>
internal sealed class Fills(
    Func<PartitionKey, KeyHandle> newHandle, StoutOptions options, DependencyMap map, DepartureGate gate, TimeLimits times, FillReads reads, DeletedKeys deleted,
    List<LaneCommand> commands, ILaneClient? client)
{
    // The queue's limit is 0, so its Next is the time of the oldest fill's request. SendBy computes the deadline from this time.
    private readonly DeadlineQueue<KeyFill> _waits = new(TimeSpan.Zero, static (fill, _) => fill.IsOver);

    /// <summary>The number of fills that have not ended.</summary>
    public int UnderWay { get; private set; }

    public long KeysRead { get; private set; }

    /// <summary>The time by which the oldest fill must be sent.</summary>
    public TimeSpan? NextGiveUp => _waits.Next is { } since ? times.SendBy(since) : null;

    /// <summary>Fills a key as the request says. Only a request with a new claim fails the key's undurable changes; all others keep them.</summary>
    public void Add(FillRequest request, TimeSpan now)
    {
        var handle = map.Find(request.Key);
        if (handle is not null && request.Claim is not null)
        {
            // Changes under the earlier owner must not become durable, and a caller must not join the earlier fill.
            Interrupt(handle, new FencedException(handle.Key));
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

    public void Refuse(FillRequest request, StoutException failure) =>
        commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, Failure: failure));

    /// <summary>
    /// Processes the cancellation of a caller of <see cref="Add"/>, which takes no result. A fill without callers ends. If the request was completed in the
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
                map.Remove(handle, null);
        }
        else if (request.Fill is { } fill)
        {
            IsGivenUp(fill);
        }
    }

    /// <summary>Whether a fill has ended. Ends a fill whose callers have all stopped waiting.</summary>
    public bool IsGivenUp(KeyFill fill)
    {
        if (!fill.IsOver && fill.IsAbandoned)
            Fail(fill, new FillFailedException(fill.Handle.Key, new OperationCanceledException()));
        return fill.IsOver;
    }

    /// <summary>Closes a handle, and fails its fill or its undurable changes.</summary>
    public void Interrupt(KeyHandle handle, StoutException failure)
    {
        if (handle.Fill is { } fill)
            Fail(fill, failure);
        else
            map.Interrupt(handle, failure);
    }

    /// <summary>Completes a fill whose key the client has taken up, or could not take up.</summary>
    public void TakenUp(KeyFill fill, Exception? error)
    {
        if (fill.IsOver)
            return;
        if (error is not null)
            Fail(fill, new FillFailedException(fill.Handle.Key, error));
        if (IsGivenUp(fill))
            return;

        UnderWay--;
        reads.Budget.End(fill);
        fill.Handle.Open();
        if (!fill.Outcome.Exists && fill.Outcome.Header != default)
            deleted.Add(fill.Handle, fill.AskedAt);
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

    /// <summary>Processes the outcome of a fill's read.</summary>
    /// <param name="fill">The fill.</param>
    /// <param name="outcome">The outcome.</param>
    /// <param name="keys">The number of keys of the request.</param>
    /// <param name="now">The time.</param>
    public void Settle(KeyFill fill, in ReadOutcome outcome, int keys, TimeSpan now)
    {
        fill.Request = null; // The request keeps the bytes of all its keys.
        if (fill.IsOver)
            return;
        switch (outcome.Kind)
        {
            case ReadOutcomeKind.Read:
                KeysRead++;
                Take(fill, outcome, now);
                break;
            case ReadOutcomeKind.Fenced:
                Fail(fill, new FencedException(fill.Handle.Key, outcome.Owner.Epoch));
                break;
            case ReadOutcomeKind.Refused:
                Fail(fill, outcome.Error as ObjectTooLargeException ?? (StoutException)new FillFailedException(fill.Handle.Key, outcome.Error ?? StoreErrors.Refused()));
                break;
            default:
                // Reads are harmless and are retried after any error, until the time limit.
                var isLate = outcome.Kind != ReadOutcomeKind.Overloaded && now - fill.RequestedAt >= options.UnreachableTimeout;
                if (isLate || times.SendBy(fill.RequestedAt) <= now)
                    Fail(fill, new FillFailedException(fill.Handle.Key, outcome.Error ?? StoreErrors.NoAnswer()));
                else
                    reads.Retry(fill, outcome, keys, now);
                break;
        }
    }

    /// <summary>Fails fills that were not sent in time.</summary>
    public void GiveUpUnsent(TimeSpan now)
    {
        while (NextGiveUp <= now && _waits.TryTake(out var fill))
        {
            if (fill.IsWaiting)
                Fail(fill, new FillFailedException(fill.Handle.Key, fill.BusyCause ?? gate.Trouble ?? StoreErrors.NotSent()));
        }
    }

    private void Take(KeyFill fill, in ReadOutcome outcome, TimeSpan now)
    {
        var key = fill.Handle.Key;
        var bytes = SizeOf(outcome.Parts);
        StoutException? fault = !IsExpected(fill, outcome) ? new FencedException(key, outcome.Owner.Epoch)
            : ObjectTooLargeException.Of(key, bytes, outcome.Parts.Count, options);
        if (fault is not null)
        {
            Fail(fill, fault);
            return;
        }

        fill.Outcome = outcome;
        fill.AskedAt = now;
        fill.Handle.Take(outcome);
        reads.Budget.Read(fill, bytes);
        fill.Handle.LastBytes = outcome.Exists ? (int)Math.Min(bytes, int.MaxValue) : -1;
        // A client joins here, before the fill completes: the core joins the callers, and the read counts until the object exists.
        if (fill.Kind == FillKind.TakeOver || client is null)
            TakenUp(fill, null);
        else
            client.TakeUp(fill, now);
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
            map.Remove(handle, null);
            Begin(request, now);
        }
    }

    private void Complete(FillRequest request, OpenedKey opened)
    {
        if (request.IsCancelled)
            return;
        opened.Handle.Callers++;
        request.Opened = opened;
        commands.Add(new LaneCommand(LaneCommandKind.CompleteFill, request, opened.Handle));
    }

    private void Begin(FillRequest request, TimeSpan now)
    {
        var handle = newHandle(request.Key);
        map.Add(handle);
        if (request.Kind == FillKind.Absent)
        {
            handle.Open();
            Complete(request, new OpenedKey.Absent(handle));
            return;
        }

        var fill = new KeyFill(handle, request, now);
        fill.Add(request);
        handle.BeginFill(fill);
        UnderWay++;
        _waits.Add(fill, 0, now);
        reads.Add(fill);
    }

    /// <summary>Whether the stored owner, and for a take-over the version, are those that the fill needs.</summary>
    private static bool IsExpected(KeyFill fill, in ReadOutcome outcome) => fill.Kind switch
    {
        FillKind.Claim => outcome.Owner.Claim == fill.Claim!.Id,
        FillKind.TakeOver => outcome.Owner.Claim == fill.Claim!.Id && outcome.Version == fill.Claim.OnlyIf!.Value.Version,
        FillKind.Refresh => outcome.Owner == fill.Owner,
        _ => !outcome.Owner.IsClaimed,
    };

    private void Fail(KeyFill fill, StoutException failure)
    {
        UnderWay--;
        reads.Budget.End(fill);
        map.Remove(fill.Handle, failure);
        if (fill.Request is { IsOver: false, Checks.Count: 0 } request && request.Fills.TrueForAll(static fill => fill.IsOver))
            commands.Add(new LaneCommand(LaneCommandKind.CancelRead, request));
        foreach (var waiter in fill.Waiters)
            Refuse(waiter, failure);
    }

    private static long SizeOf(IReadOnlyList<StoredPart> parts)
    {
        long bytes = 0;
        for (var i = 0; i < parts.Count; i++)
            bytes += parts[i].Value.Length;
        return bytes;
    }
}
