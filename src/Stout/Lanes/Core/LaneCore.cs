using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// All decisions of a lane, as a pure state machine without I/O, timers, tasks, clocks or locks. Its shell reports events, lets
/// time pass with <see cref="Advance"/>, then executes <see cref="Commands"/> in order. Its parts own their state; this class connects them, and has their order.
/// </summary>
/// <remarks>The states of a change: dirty → ready → sent → committed, and its messages released. A client's late change is gathered before it is ready.</remarks>
internal sealed class LaneCore
{
    private readonly StoutOptions _options;
    private readonly StorageLimits _limits;
    private readonly ILaneClient? _client;
    private readonly LaneTelemetry? _telemetry;
    private readonly List<LaneCommand> _commands = [];
    private readonly DependencyMap _map;
    private readonly DepartureGate _gate;
    private readonly TimeLimits _times;
    private readonly AdmissionControl _admission;
    private readonly DeletedKeys _deleted;
    private readonly RequestsInFlight<ReadRequest> _reads;
    private readonly RequestsInFlight<WriteRequest> _writes;
    private readonly FillReads _fillReads;
    private readonly Fills _fills;
    private readonly OwnerChecks _checks;
    private readonly WriteSender _sender;
    private readonly WriteRetries _retries;
    private readonly WriteAnswers _answers;
    private long _changes;
    private TimeSpan? _drainBy;
    private bool _stopping;
    private bool _drained;

    /// <param name="newHandle">Creates the handle of a key.</param>
    /// <param name="options">Validated options.</param>
    /// <param name="limits">The store's limits.</param>
    /// <param name="law">The pacing law of this lane alone.</param>
    /// <param name="writer">128 random bits, never used before.</param>
    /// <param name="random">Randomizes retry delays.</param>
    /// <param name="telemetry">Records events without influence on decisions; may be null.</param>
    /// <param name="timerStep">The accuracy of the timer that is set for <see cref="WakeAt"/>.</param>
    /// <param name="client">A client that takes up read keys and makes the bytes of its changes late; null without one.</param>
    public LaneCore(
        Func<PartitionKey, KeyHandle> newHandle,
        StoutOptions options,
        StorageLimits limits,
        IPacingLaw law,
        Guid writer,
        Random random,
        LaneTelemetry? telemetry = null,
        TimeSpan timerStep = default,
        ILaneClient? client = null)
    {
        _options = options;
        _limits = limits;
        _client = client;
        _telemetry = telemetry;
        var retryDelay = new RetryDelay(options.MinRetryDelay, options.MaxRetryDelay, random);
        _map = new DependencyMap(_commands, telemetry, isLate: client is not null);
        _gate = new DepartureGate(law, retryDelay, telemetry, timerStep);
        _times = new TimeLimits(options, _gate, client);
        _admission = new AdmissionControl(options, _map, _commands, _times.Patience);
        _deleted = new DeletedKeys(_map, limits);
        _reads = new RequestsInFlight<ReadRequest>(_gate, options.RequestTimeout, _commands, LaneCommandKind.SendRead);
        _writes = new RequestsInFlight<WriteRequest>(_gate, options.RequestTimeout, _commands, LaneCommandKind.SendWrite);
        _fillReads = new FillReads(options, limits, _reads, retryDelay, fill => _fills!.IsGivenUp(fill));
        _fills = new Fills(newHandle, options, _map, _gate, _times, _fillReads, _deleted, _commands, client);
        _checks = new OwnerChecks(limits, _map, _gate, _commands, _reads, retryDelay, _times.Patience);
        _sender = new WriteSender(limits, _map, _gate, _writes, _fillReads, writer, client);
        _retries = new WriteRetries(options, _map, _gate, _times, _writes, _sender, retryDelay);
        _answers = new WriteAnswers(limits, _map, _gate, _writes, _sender, _retries, _deleted, client);
        client?.Join(this);
    }

    /// <summary>The commands to execute. The shell empties the list.</summary>
    public List<LaneCommand> Commands => _commands;

    /// <summary>The time of the next scheduled event; null if only an input can cause one.</summary>
    public TimeSpan? WakeAt { get; private set; }

    /// <summary>Whether a new caller is admitted without waiting.</summary>
    public bool IsAdmissionOpen => _admission.IsOpen;

    /// <summary>The time of the oldest undurable change; null if everything is durable. Thread-safe.</summary>
    public TimeSpan? OldestChange => _map.OldestChange;

    /// <summary>The size of all undurable changes in bytes. Thread-safe.</summary>
    public long UndurableBytes => _map.UndurableBytes;

    /// <summary>Records a change of the client, whose bytes the client makes when the next batch of the key leaves.</summary>
    /// <param name="handle">The key's handle.</param>
    /// <param name="part">The part; ignored if the whole object is deleted.</param>
    /// <param name="announced">The part's place-holder; null deletes the whole object.</param>
    /// <param name="now">The time.</param>
    /// <returns>The key's pending work; null if the handle is not open. The message behind the change then reports the failure.</returns>
    public PendingWork? Announce(KeyHandle handle, SubKey part, PushedPart? announced, TimeSpan now)
    {
        _admission.EndAdmission();
        if (handle.Phase != KeyPhase.Open)
            return null;
        _changes++;
        return _map.Announce(handle, part, announced, now);
    }

    /// <summary>Has the shell make a call of the client.</summary>
    public void Call(object subject) => _commands.Add(new LaneCommand(LaneCommandKind.CallClient, subject));

    /// <summary>Processes a change that carries its bytes. Its message is released once the change is durable.</summary>
    /// <param name="handle">The key's handle.</param>
    /// <param name="change">The change.</param>
    /// <param name="now">The time.</param>
    public void Push(KeyHandle handle, PushedChange change, TimeSpan now)
    {
        _admission.EndAdmission();
        if (handle.Phase != KeyPhase.Open)
        {
            FailUnsent(handle, change);
            return;
        }

        _changes++;
        _map.Push(handle, change, _limits, now);
    }

    public void Send(KeyHandle handle, Message message)
    {
        if (handle.Phase == KeyPhase.Open)
        {
            _map.Send(handle, message);
            return;
        }

        FailUnsent(handle, message);
    }

    /// <summary>Closes a handle without undurable changes, and completes the caller.</summary>
    public void TryClose(KeyHandle handle, object waiter)
    {
        if (handle is { Phase: KeyPhase.Open, Work: null })
            _map.Remove(handle, null);
        _commands.Add(new LaneCommand(LaneCommandKind.CompleteClose, waiter, handle.IsClosed ? handle : null));
    }

    /// <inheritdoc cref="OwnerChecks.Add"/>
    public void Confirm(KeyHandle handle, Message message, TimeSpan now)
    {
        if (handle.Phase != KeyPhase.Open)
            FailUnsent(handle, message);
        // Undurable changes are still to be sent. The store compares the owner when it commits them, so the commit answers this question too.
        else if (handle.Work is { IsDirty: true })
            _map.Send(handle, message);
        else
            _checks.Add(handle, message, now);
    }

    /// <inheritdoc cref="Fills.Add"/>
    public void Fill(FillRequest request, TimeSpan now)
    {
        if (_stopping)
            _fills.Refuse(request, new StoppedException());
        else
            _fills.Add(request, now);
    }

    /// <inheritdoc cref="Fills.Cancel"/>
    public void Cancel(FillRequest request) => _fills.Cancel(request);

    /// <inheritdoc cref="Fills.TakenUp"/>
    public void TakenUp(KeyFill fill, Exception? error) => _fills.TakenUp(fill, error);

    /// <summary>The bytes of a late change: the client has pushed them into <see cref="PendingWork.Carried"/>. They may contain changes announced until now.</summary>
    public void Deliver(PendingWork work) => _sender.MakeReady(work, work.Carried.Measure());

    /// <summary>Makes a late change wait again, outside the queue of keys to send, until <see cref="LineUp"/> or the key's next change.</summary>
    public void PutBack(PendingWork work) => _map.Requeue(work);

    /// <summary>Queues a key that was put back.</summary>
    public void LineUp(PendingWork work) => _map.LineUp(work);

    /// <summary>Fails a key whose bytes the client could not make.</summary>
    public void Fail(PendingWork work, NotAppliedException failure) => _map.Fail(work.Handle, failure);

    /// <summary>Processes the answer of a write request. An exception of the proxy is already recorded in the batch.</summary>
    public void WriteAnswered(WriteRequest request, TimeSpan now)
    {
        // The late answer of an abandoned request is ignored: its keys are sent again, and the stamps make a second write harmless.
        if (!request.IsAbandoned)
            _answers.Conclude(request, now);
    }

    /// <summary>Processes the answer of a read request. An exception of the proxy is already recorded in the batch.</summary>
    public void ReadAnswered(ReadRequest request, TimeSpan now)
    {
        if (!request.IsAbandoned)
            Conclude(request, now);
        else
            _fillReads.EndLate(request);
    }

    public void Admit(Admission caller, TimeSpan now)
    {
        if (!_stopping && !_admission.IsOpen)
            _telemetry?.CallerHeldBack();
        _admission.Admit(caller, RetryAfter, now);
    }

    /// <summary>Processes the cancellation of a caller of <see cref="Admit"/>, which takes no result.</summary>
    public void Cancel(Admission caller) => _admission.Cancel(caller);

    /// <summary>Frees the room of an admitted caller that changes nothing.</summary>
    public void EndAdmission() => _admission.EndAdmission();

    /// <summary>Starts draining: admission closes, and all dirty keys are sent.</summary>
    public void Stop()
    {
        _stopping = true;
        _admission.Close();
    }

    /// <summary>Ends the drain at once: sent changes fail as unknown, all others as not applied.</summary>
    public void Abort()
    {
        Stop();
        foreach (var handle in _map.Handles.ToArray())
        {
            if (handle.Fill is not null)
                _fills.Interrupt(handle, new StoppedException());
            else if (handle.Work is not null)
                _map.Interrupt(handle, new NotAppliedException(handle.Key, NotAppliedReason.Stopped));
        }

        _checks.Stop();
    }

    /// <summary>Handles everything that is due at the given time, and sends the batches that may leave.</summary>
    public void Advance(TimeSpan now)
    {
        LimitDrain(now);
        _client?.Advance(now);
        _writes.StepAside(now);
        _reads.StepAside(now);
        _answers.Expire(now);
        ExpireReads(now);
        _checks.Expire(now);
        _retries.GiveUpUnresolved(now);
        _retries.TakeUpBusy(now);
        _fillReads.TakeUpBusy(now);
        _deleted.Close(now);
        _retries.Resend(now);
        _sender.Depart(now);
        _checks.Send(now);
        // Called after Depart. Before it, with UnreachableTimeout = 0, all changes would fail unsent, and no request would test whether the store is
        // reachable again.
        _retries.GiveUpUnsent(now);
        _fills.GiveUpUnsent(now);
        _gate.NoteWork(_sender.HasWork, now);
        _gate.NoteKeys(_map.Dirty.Count, isIdle: _writes.Count == 0, now);
        _gate.NoteReady(_sender.CanDepart);
        _admission.LetIn(RetryAfter, now);
        if (!_stopping)
            _telemetry?.AdmissionIs(_admission.IsOpen, this);
        WakeAt = NextWake(now);
        if (_stopping && !_drained && IsIdle)
        {
            _drained = true;
            _commands.Add(new LaneCommand(LaneCommandKind.Drained));
        }
    }

    /// <inheritdoc cref="DepartureGate.RefusalAt"/>
    public StoreException? RefusalAt(TimeSpan now) => _gate.RefusalAt(now);

    public StoutStatistics GetStatistics() => new()
    {
        Changes = _changes,
        KeysWritten = _answers.KeysWritten,
        BytesWritten = _answers.BytesWritten,
        WriteRequests = _answers.Requests,
        KeysRead = _fills.KeysRead,
        MessagesReleased = _map.MessagesReleased,
        KeysFailed = _map.KeysFailed,
        DirtyKeys = _map.UndurableKeys,
        UndurableBytes = _map.UndurableBytes,
        WaitingMessages = _map.WaitingMessages,
        RequestsInFlight = _writes.Count,
        OpenKeys = _map.OpenKeys,
        Interval = _gate.Interval,
        Phase = _gate.Phase,
        Limit = _map.UndurableKeys == 0 ? PacingLimit.None : _gate.Limit,
        StoreFailing = _gate.IsFailing,
        ConsecutiveFailures = _gate.ConsecutiveFailures,
    };

    public TimeSpan RetryAfter => _gate.Interval + _options.MinRetryDelay;

    private bool IsIdle => _map.UndurableKeys == 0 && _fills.UnderWay == 0 && _checks.IsEmpty;

    private void FailUnsent(KeyHandle handle, Message message)
    {
        message.Next = null;
        message.Failure = new HandleClosedException(handle.Key, handle.ClosedBecause);
        _commands.Add(new LaneCommand(LaneCommandKind.Release, message, handle, message.Failure));
    }

    private void Conclude(ReadRequest request, TimeSpan now)
    {
        _reads.End(request);
        var answer = new AnswerSummary();
        for (var i = 0; i < request.Batch.Count; i++)
        {
            var outcome = request.IsAbandoned ? ReadOutcome.Of(StoreErrors.TimedOut()) : request.Batch.OutcomeOf(i);
            answer.Add(outcome);
            if (i < request.Fills.Count)
                _fills.Settle(request.Fills[i], outcome, request.Fills.Count, now);
            else
                _checks.Settle(request.Checks[i], outcome, now);
        }

        _reads.Measure(answer, request.Batch.Count);
        if (request.Fills.Count > 0)
            _fillReads.Budget.Answered(answer.Read.Keys, answer.Read.Bytes);
        _gate.Answered(answer.ToRequest(request, now), answer.Error, refusal: answer.Refusal);
    }

    private void ExpireReads(TimeSpan now)
    {
        while (_reads.TryTakeDue(now, out var request))
        {
            if (request.Batch.TakeProgress())
            {
                _reads.Prolong(request, now);
                continue;
            }

            request.IsAbandoned = true;
            foreach (var fill in request.Fills)
                fill.LateReads++;
            _commands.Add(new LaneCommand(LaneCommandKind.CancelRead, request));
            Conclude(request, now);
        }
    }

    /// <summary>
    /// Ends a drain after the longest wait of any change. An application that keeps marking changes could otherwise prolong it forever.
    /// </summary>
    private void LimitDrain(TimeSpan now)
    {
        if (!_stopping || _drained)
            return;
        _drainBy ??= now + _times.LongestWait;
        if (now >= _drainBy)
            Abort();
    }

    private TimeSpan? NextWake(TimeSpan now)
    {
        TimeSpan? wake = null;
        void Consider(TimeSpan? at)
        {
            // An entry that is already due waits for an answer, so it needs no timer.
            if (at > now && (wake is null || at < wake))
                wake = at;
        }

        if (_sender.CanDepart)
            Consider(_gate.NextDeparture);
        Consider(_gate.HeldUntil);
        Consider(_client?.NextWake);
        if (_map.Dirty.Count > 0 || _sender.HasReady || _retries.IsWaiting)
            Consider(_writes.NextSlow);
        if (_fillReads.IsWaiting || _checks.IsWaiting)
            Consider(_reads.NextSlow);
        if (!_drained)
            Consider(_drainBy);
        Consider(_writes.NextDeadline);
        Consider(_reads.NextDeadline);
        Consider(_checks.NextDeadline);
        Consider(_checks.NextResting);
        Consider(_retries.NextBusy);
        Consider(_retries.NextResend);
        Consider(_retries.NextUnsent);
        Consider(_retries.NextUnresolved);
        Consider(_fillReads.NextBusy);
        Consider(_fills.NextGiveUp);
        Consider(_deleted.Next);
        Consider(_admission.NextWake);
        return wake;
    }
}
