using System.Diagnostics;
using System.Threading.Channels;
using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>
/// Runs the loop around <see cref="LaneCore"/> for one store partition. The loop passes inputs to the core and executes its commands; all decisions
/// are the core's.
/// </summary>
[DebuggerDisplay("{_core.GetStatistics().DirtyKeys} dirty keys")]
internal sealed class Lane : ILaneIntake, IDisposable
{
    // The most inputs between two updates of the core's time.
    private const int MaxBurst = 1024;

    // In bytes. Changes of this size or more count as undurable as soon as they are posted. Smaller ones count when the lane takes them in, since
    // counting costs as much as posting. On a busy pool a thousand callers may post before the lane runs, but their small changes add up to less than 1
    // MiB.
    private const int LargeChange = 1024;

    private readonly Channel<LaneInput> _intake = Channel.CreateUnbounded<LaneInput>(
        new UnboundedChannelOptions { SingleReader = true });

    private readonly LoopSignal _signal = new();
    private readonly LaneCore _core;
    private readonly LaneCommands _commands;
    private readonly StoutOptions _options;
    private readonly LaneTelemetry _telemetry;
    private readonly LaneClock _clock;
    private readonly ILaneClientShell? _client;
    private volatile bool _isAdmissionOpen = true;
    private long _bytesOnTheWay;

    public Lane(
        IStorePartition partition,
        StorageLimits limits,
        StoutOptions options,
        IPacingLaw law,
        TimeProvider time,
        LaneTelemetry telemetry,
        AnswerLimits? answers = null,
        ILaneClientShell? client = null)
    {
        _options = options;
        Answers = answers;
        Limits = limits;
        _client = client;
        _telemetry = telemetry;
        _core = new LaneCore(key => new KeyHandle(this, key), options, limits, law, WriterId.New(), new Random(), telemetry, LaneClock.StepOf(time), client?.Client);
        client?.Begin(this);
        _commands = new LaneCommands(this, _core, partition, client, telemetry);
        // The loop and the timer outlive the opener, so they must not capture its execution context.
        using (ExecutionContext.SuppressFlow())
        {
            _clock = new LaneClock(time, () => TryPost(new LaneInput(LaneInputKind.Wake)));
            _telemetry.Begin(GetStatistics);
            Completion = Task.Run(RunAsync);
        }
    }

    /// <summary>Completes when the lane has drained or was aborted.</summary>
    public Task Completion { get; }

    /// <inheritdoc/>
    public TimeSpan RetryAfter => _core.RetryAfter;

    /// <inheritdoc/>
    public AnswerLimits? Answers { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <inheritdoc/>
    public bool Serializes => _client is not null;

    public StoutStatistics GetStatistics() => _core.GetStatistics() with
    {
        OldestUndurableAge = _core.OldestChange is { } since ? _clock.Now - since : TimeSpan.Zero,
        StoreRefusal = _core.RefusalAt(_clock.Now)?.Kind,
    };

    public bool TryPost(in LaneInput input)
    {
        if (!_intake.Writer.TryWrite(input))
            return false;
        _signal.Set(runsHere: false);
        return true;
    }

    // A pool thread with an answer has no other work, so the loop continues on that thread. After the loop, the caller that the loop released last
    // continues there. So the loop and that caller do not wait in the pool's queue.
    public bool TryAnswer(in LaneInput answer)
    {
        if (!_intake.Writer.TryWrite(answer))
            return false;
        if (_signal.Set(runsHere: Thread.CurrentThread.IsThreadPoolThread))
            _commands.RunLastReleased();
        return true;
    }

    public bool TryPush(in LaneInput change)
    {
        // The change is counted before the lane takes it in. Otherwise a busy pool could admit every caller before the lane runs.
        if (change.Bytes >= LargeChange)
            Interlocked.Add(ref _bytesOnTheWay, change.Bytes);
        return TryPost(change);
    }

    public bool IsAdmissionOpen => _isAdmissionOpen && Interlocked.Read(ref _bytesOnTheWay) + _core.UndurableBytes < _options.MaxUndurableBytes;

    public ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken)
    {
        if (IsAdmissionOpen)
            return ValueTask.CompletedTask;
        cancellationToken.ThrowIfCancellationRequested();
        var caller = new AdmissionCall(toChange);
        if (!TryPost(new LaneInput(LaneInputKind.Admit, Subject: caller)))
            throw new StoppedException();
        return new ValueTask(WaitAsync(caller, cancellationToken));
    }

    /// <summary>Posts a caller that opens a key.</summary>
    /// <param name="call">The caller, which completes with the key.</param>
    /// <param name="cancellationToken">Ends the caller's wait. It then takes no handle, and the lane learns of it.</param>
    /// <returns>To dispose after the wait.</returns>
    public CancellationTokenRegistration Fill(FillCall call, CancellationToken cancellationToken)
    {
        if (!TryPost(new LaneInput(LaneInputKind.Fill, Subject: call)))
            throw new StoppedException();
        return !cancellationToken.CanBeCanceled ? default : cancellationToken.UnsafeRegister(
            static (state, token) =>
            {
                var (lane, call) = ((Lane, FillCall))state!;
                if (call.TryCancel(token))
                    lane.TryPost(new LaneInput(LaneInputKind.Cancel, Subject: call));
            },
            (this, call));
    }

    public void EndAdmission()
    {
        if (!IsAdmissionOpen)
            TryPost(new LaneInput(LaneInputKind.EndAdmission));
    }

    public void ReportCallbackError(Exception error)
    {
        _telemetry.CallbackThrew(error);
        try
        {
            _options.CallbackFailed?.Invoke(error);
        }
        catch (Exception)
        {
            // The application's error handler threw. No other handler exists, and later messages must not wait.
        }
    }

    public void Dispose()
    {
        _telemetry.End();
        _clock.Dispose();
        _commands.Dispose();
        _client?.Dispose();
    }

    private async Task WaitAsync(AdmissionCall caller, CancellationToken cancellationToken)
    {
        using var gone = cancellationToken.UnsafeRegister(
            static (call, token) =>
            {
                var (lane, caller) = ((Lane, AdmissionCall))call!;
                if (caller.TryCancel(token))
                    lane.TryPost(new LaneInput(LaneInputKind.Cancel, Subject: caller));
            },
            (this, caller));
        await caller.Task.ConfigureAwait(false);
    }

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                await _signal.WaitAsync(_intake.Reader).ConfigureAwait(false);
                _commands.QueueLastReleased();
                TakeIn();
                if (_core.Commands.Count > 1)
                {
                    // Released callers run before the lane continues, so their next changes join the next batch. Otherwise waiting writers would
                    // split into batches of random sizes.
                    Carry();
                    await Task.Yield();
                    TakeIn();
                }

                _core.Advance(_clock.Now);
                _isAdmissionOpen = _core.IsAdmissionOpen;
                if (Carry())
                    break;
                _clock.WakeAt(_core.WakeAt);
            }
        }
        finally
        {
            End();
        }
    }

    private void TakeIn()
    {
        var now = _clock.Now;
        for (var i = 0; i < MaxBurst && _intake.Reader.TryRead(out var input); i++)
            Apply(input, now);
    }

    // Answers every input that arrived before the intake closed, so that no message stays unanswered. Store answers are skipped: the law may have
    // thrown, and it must not be called again.
    private void End()
    {
        _isAdmissionOpen = false;
        _intake.Writer.TryComplete();
        _core.Abort();
        var now = _clock.Now;
        while (_intake.Reader.TryRead(out var input))
        {
            if (input.Kind is not (LaneInputKind.WriteAnswered or LaneInputKind.ReadAnswered))
                Apply(input, now);
        }

        _core.Abort();
        _commands.Carry();
        _commands.QueueLastReleased();
    }

    // Executes the core's commands. If the loop runs on a thread of TryAnswer, that thread runs the message that was released last, after the loop.
    // Otherwise the message goes to the pool.
    private bool Carry()
    {
        var hasDrained = _commands.Carry();
        if (hasDrained || !_signal.IsThreadLent)
            _commands.QueueLastReleased();
        return hasDrained;
    }

    private void Apply(in LaneInput input, TimeSpan now)
    {
        switch (input.Kind)
        {
            case LaneInputKind.Push:
                Push(input, now);
                break;
            case LaneInputKind.Message:
                TakeMessage(input);
                break;
            case LaneInputKind.Fill:
                _core.Fill((FillRequest)input.Subject!, now);
                break;
            case LaneInputKind.Confirm:
                _core.Confirm(input.Handle!, (Message)input.Subject!, now);
                break;
            case LaneInputKind.TryClose:
                _core.TryClose(input.Handle!, input.Subject!);
                break;
            case LaneInputKind.Cancel when input.Subject is FillRequest fill:
                _core.Cancel(fill);
                break;
            case LaneInputKind.Cancel:
                _core.Cancel((Admission)input.Subject!);
                break;
            case LaneInputKind.Admit:
                _core.Admit((Admission)input.Subject!, now);
                break;
            case LaneInputKind.EndAdmission:
                _core.EndAdmission();
                break;
            case LaneInputKind.WriteAnswered:
                _core.WriteAnswered((WriteRequest)input.Subject!, now);
                break;
            case LaneInputKind.ReadAnswered:
                _core.ReadAnswered((ReadRequest)input.Subject!, now);
                break;
            case LaneInputKind.Wake:
                _clock.HasFired();
                break;
            case LaneInputKind.Stop:
                _core.Stop();
                break;
            case LaneInputKind.Abort:
                _core.Abort();
                break;
            default:
                _client!.Apply(input, now);
                if (input.Handle is not null)
                    TakeMessage(input);
                break;
        }
    }

    private void Push(in LaneInput input, TimeSpan now)
    {
        if (input.Bytes >= LargeChange)
            Interlocked.Add(ref _bytesOnTheWay, -input.Bytes);
        var caller = input.Subject as CallerSpan;
        _core.Push(input.Handle!, (PushedChange)(caller?.Message ?? input.Subject!), now);
        if (caller is not null && input.Handle!.Work is { } work)
            (work.Callers ??= new CallerSpans()).Add(caller.Context, work.IsDirty);
    }

    private void TakeMessage(in LaneInput input)
    {
        var subject = input.Subject;
        if (subject is CallerSpan caller)
        {
            // A key without pending work is in no batch to which the span could be linked.
            if (input.Handle!.Work is { } work)
                (work.Callers ??= new CallerSpans()).Add(caller.Context, work.IsDirty);
            subject = caller.Message;
        }

        if (subject is not null)
            _core.Send(input.Handle!, (Message)subject);
    }
}
