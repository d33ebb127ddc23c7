using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// All decisions of a lane, as a pure state machine without I/O, timers, tasks, clocks or locks. Its shell reports events, lets
/// time pass with <see cref="Advance"/>, then executes <see cref="Commands"/> in order.
/// </summary>
/// <remarks>The states of a change: dirty → ready → sent → committed, and its messages released. A client's late change is gathered before it is ready.</remarks>
internal sealed partial class LaneCore
{
    private readonly Func<PartitionKey, KeyHandle> _newHandle;
    private readonly StoutOptions _options;
    private readonly StorageLimits _limits;
    private readonly ILaneClient? _client;
    private readonly Guid _writer;
    private readonly LaneTelemetry? _telemetry;
    private readonly List<LaneCommand> _commands = [];
    private readonly DependencyMap _map;
    private readonly DepartureGate _gate;
    private readonly RetryDelay _retryDelay;
    private readonly AdmissionControl _admission;
    private readonly Places _writes;
    private readonly Places _readPlaces;
    private readonly RequestSize _writeSize = new();
    private readonly RequestSize _readSize = new();
    private readonly ReadBudget _readBudget;

    // A divisor: a request in flight for longer than RequestTimeout / 8 no longer counts against the in-flight limit. With the default of 15 s that is
    // about 2 s; ordinary requests end well before.
    private const int SlowRequest = 8;

    private long _sequence;
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
        _newHandle = newHandle;
        _client = client;
        _options = options;
        _limits = limits;
        _writer = writer;
        _telemetry = telemetry;
        _retryDelay = new RetryDelay(options.MinRetryDelay, options.MaxRetryDelay, random);
        _map = new DependencyMap(_commands, telemetry, isLate: client is not null);
        _gate = new DepartureGate(law, _retryDelay, telemetry, timerStep);
        _patience = Later(options.UnreachableTimeout, options.RequestTimeout / SlowRequest);
        _admission = new AdmissionControl(options, _map, _commands, _patience);
        _writes = new Places(_gate);
        _readPlaces = new Places(_gate);
        _reads = new ReadQueue(IsGivenUp);
        _rereads = new ReadQueue(IsGivenUp);
        _readBudget = new ReadBudget(limits.MaxBatchBytes, options.MaxUndurableBytes);
        _slowWrites = new(options.RequestTimeout / SlowRequest, static (request, run) => request.IsOver || request.Run != run);
        _slowReads = new(options.RequestTimeout / SlowRequest, static (request, _) => request.IsOver);
        _writeDeadlines = new(options.RequestTimeout, static (request, run) => request.IsOver || request.Run != run);
        _readDeadlines = new(options.RequestTimeout, static (request, _) => request.IsOver);
        _checkDeadlines = new(_patience, static (check, _) => check.IsOver);
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
            if (handle.Fill is { } fill)
                FailFill(fill, new StoppedException());
            else if (handle.Work is { } work)
                _map.Fail(handle, Certainty(work, new NotAppliedException(handle.Key, NotAppliedReason.Stopped)));
        }

        EndChecks();
    }

    /// <summary>Handles everything that is due at the given time, and sends the batches that may leave.</summary>
    public void Advance(TimeSpan now)
    {
        LimitDrain(now);
        _client?.Advance(now);
        ExpireRequests(now);
        ExpireChecks(now);
        GiveUpUnresolved(now);
        TakeUpBusyKeys(now);
        CloseDeletedHandles(now);
        ResendUnresolved(now);
        Depart(now);
        SendChecks(now);
        // Called after Depart. Before it, with UnreachableTimeout = 0, all changes would fail unsent, and no request would test whether the store is
        // reachable again.
        GiveUpUnsent(now);
        _gate.NoteWork(HasWork, now);
        _gate.NoteKeys(_map.Dirty.Count, isIdle: _writes.InFlight == 0, now);
        _gate.NoteReady(CanDepart);
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
        KeysWritten = _keysWritten,
        BytesWritten = _bytesWritten,
        WriteRequests = _writeRequests,
        KeysRead = _keysRead,
        MessagesReleased = _map.MessagesReleased,
        KeysFailed = _map.KeysFailed,
        DirtyKeys = _map.UndurableKeys,
        UndurableBytes = _map.UndurableBytes,
        WaitingMessages = _map.WaitingMessages,
        RequestsInFlight = _writes.InFlight,
        OpenKeys = _map.OpenKeys,
        Interval = _gate.Interval,
        Phase = _gate.Phase,
        Limit = _map.UndurableKeys == 0 ? PacingLimit.None : _gate.Limit,
        StoreFailing = _gate.IsFailing,
        ConsecutiveFailures = _gate.ConsecutiveFailures,
    };

    public TimeSpan RetryAfter => _gate.Interval + _options.MinRetryDelay;

    private bool IsIdle => _map.UndurableKeys == 0 && _fillsUnderWay == 0 && _openChecks.Count == 0;

    private void FailUnsent(KeyHandle handle, Message message)
    {
        message.Next = null;
        message.Failure = new HandleClosedException(handle.Key, handle.ClosedBecause);
        _commands.Add(new LaneCommand(LaneCommandKind.Release, message, handle, message.Failure));
    }

    /// <summary>
    /// Returns the given failure; if the change was sent, and so may have been applied, an <see cref="OutcomeUnknownException"/> with it.
    /// </summary>
    private static StoutException Certainty(PendingWork work, StoutException failure) =>
        work.BatchState == BatchState.Sent ? new OutcomeUnknownException(work.Handle.Key, failure) : failure;

    private TimeSpan? NextWake(TimeSpan now)
    {
        TimeSpan? wake = null;
        void Consider(TimeSpan? at)
        {
            // An entry that is already due waits for an answer, so it needs no timer.
            if (at > now && (wake is null || at < wake))
                wake = at;
        }

        if (CanDepart)
            Consider(_gate.NextDeparture);
        Consider(_gate.HeldUntil);
        Consider(_client?.NextWake);
        if (_map.Dirty.Count > 0 || _ready.Count > 0 || _unresolved.Count > 0)
            Consider(_slowWrites.Next);
        if (HasReads || _checks.Count > 0)
            Consider(_slowReads.Next);
        if (!_drained)
            Consider(_drainBy);
        Consider(_writeDeadlines.Next);
        Consider(_readDeadlines.Next);
        Consider(_checkDeadlines.Next);
        Consider(NextRestingCheck);
        Consider(NextBusy);
        Consider(NextGiveUp);
        Consider(NextResend);
        Consider(NextDeletedClose);
        Consider(_admission.NextWake);
        return wake;
    }

    private static TimeSpan Earlier(TimeSpan a, TimeSpan b) => a < b ? a : b;

    private static TimeSpan Later(TimeSpan a, TimeSpan b) => a > b ? a : b;
}
