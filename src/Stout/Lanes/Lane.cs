using System.Threading.Channels;
using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>
/// What serves one store partition inside a process: the loop around <see cref="LaneCore"/>. It carries inputs to the core and the
/// core's commands to the application, the store and waiting callers, and decides nothing.
/// </summary>
internal sealed class Lane : ILaneIntake, IDisposable
{
    // Time passes at least this often however many inputs come.
    private const int MaxBurst = 1024;

    // Smaller changes are counted only when the lane takes them in, since counting costs as much as it takes to post them: a thousand
    // callers that a busy pool runs before the lane then make less than 1 MiB.
    private const int LargeChange = 1024;

    private readonly Channel<LaneInput> _intake = Channel.CreateUnbounded<LaneInput>(
        new UnboundedChannelOptions { SingleReader = true });

    private readonly LaneCore _core;
    private readonly LaneCommands _commands;
    private readonly StoutOptions _options;
    private readonly LaneTelemetry _telemetry;
    private readonly LaneClock _clock;
    private volatile bool _isAdmissionOpen = true;
    private long _bytesOnTheWay;

    public Lane(
        IStorePartition partition,
        IStoutApplication application,
        StorageLimits limits,
        StoutOptions options,
        IPacingLaw law,
        TimeProvider time,
        LaneTelemetry telemetry)
    {
        _options = options;
        _telemetry = telemetry;
        _core = new LaneCore(this, options, limits, law, WriterId.New(), new Random(), telemetry, LaneClock.StepOf(time));
        _commands = new LaneCommands(this, partition, application, options.CallbackTimeout, time, telemetry);
        // Flowing the opener's execution context into a loop and a timer that outlive it would only leak.
        using (ExecutionContext.SuppressFlow())
        {
            _clock = new LaneClock(time, () => TryPost(new LaneInput(LaneInputKind.Wake)));
            _telemetry.Begin(GetStatistics);
            Completion = Task.Run(RunAsync);
        }
    }

    /// <summary>Completes when the lane has drained or was aborted.</summary>
    public Task Completion { get; }

    public StoutStatistics GetStatistics() => _core.GetStatistics() with
    {
        OldestUndurableAge = _core.OldestChange is { } since ? _clock.Now - since : TimeSpan.Zero,
        StoreRefusal = _core.RefusalAt(_clock.Now)?.Kind,
    };

    public bool TryPost(in LaneInput input) => _intake.Writer.TryWrite(input);

    public bool TryPush(in LaneInput change)
    {
        // Counted before the lane learns of it: else all callers that a busy pool lets run before the lane would be admitted.
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
        var caller = new Admission(toChange);
        if (!TryPost(new LaneInput(LaneInputKind.Admit, Subject: caller)))
            throw new StoppedException();
        return new ValueTask(WaitAsync(caller, cancellationToken));

        // The door passes over callers that have gone.
        static async Task WaitAsync(Admission caller, CancellationToken cancellationToken)
        {
            using var gone = cancellationToken.UnsafeRegister(
                static (caller, token) => ((Admission)caller!).TrySetCanceled(token), caller);
            await caller.Task.ConfigureAwait(false);
        }
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
            // The handler of failures has failed itself. Its error has no other receiver, and the messages behind it wait.
        }
    }

    public void Dispose()
    {
        _telemetry.End();
        _clock.Dispose();
        _commands.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (await _intake.Reader.WaitToReadAsync().ConfigureAwait(false))
            {
                TakeIn();
                if (_core.Commands.Count > 1)
                {
                    // Released callers go first in the pool's queue: what they change at once leaves with the next batch, and not
                    // with the one after it. Writers that each wait for their last change would otherwise travel in two half batches.
                    _commands.Carry(_core.Commands);
                    await Task.Yield();
                    TakeIn();
                }

                _core.Advance(_clock.Now);
                _isAdmissionOpen = _core.IsAdmissionOpen;
                if (_commands.Carry(_core.Commands))
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

    // Whatever came in between the end and the closing of the intake is told so; no accepted message is left without an answer. Answers of
    // the store come too late by now, and must not reach the law: it may be what has ended the lane, by throwing.
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
        _commands.Carry(_core.Commands);
    }

    private void Apply(in LaneInput input, TimeSpan now)
    {
        switch (input.Kind)
        {
            case LaneInputKind.MarkDirty:
                _core.MarkDirty(input.Handle!, input.Part, now);
                TakeMessage(input);
                break;
            case LaneInputKind.MarkDeleted:
                _core.MarkDeleted(input.Handle!, input.Part, now);
                TakeMessage(input);
                break;
            case LaneInputKind.MarkAllDeleted:
                _core.MarkAllDeleted(input.Handle!, now);
                TakeMessage(input);
                break;
            case LaneInputKind.Push:
                Push(input, now);
                break;
            case LaneInputKind.Message:
                TakeMessage(input);
                break;
            case LaneInputKind.Fill:
                _core.Fill((FillRequest)input.Subject!, asAbsent: false, now);
                break;
            case LaneInputKind.OpenAsAbsent:
                _core.Fill((FillRequest)input.Subject!, asAbsent: true, now);
                break;
            case LaneInputKind.TryClose:
                _core.TryClose(input.Handle!, (TaskCompletionSource<bool>)input.Subject!);
                break;
            case LaneInputKind.Admit:
                _core.Admit((Admission)input.Subject!, now);
                break;
            case LaneInputKind.EndAdmission:
                _core.EndAdmission();
                break;
            case LaneInputKind.Serialized:
                _core.Serialized((SerializationBatch)input.Subject!, input.Error, now);
                break;
            case LaneInputKind.Deserialized:
                _core.Deserialized((KeyFill)input.Subject!, input.Error);
                break;
            case LaneInputKind.WriteAnswered:
                _core.WriteAnswered((WriteRequest)input.Subject!, now);
                break;
            case LaneInputKind.ReadAnswered:
                _core.ReadAnswered((ReadRequest)input.Subject!, now);
                break;
            case LaneInputKind.Wake:
                _clock.HasRung();
                break;
            case LaneInputKind.Stop:
                _core.Stop();
                break;
            case LaneInputKind.Abort:
                _core.Abort();
                break;
        }
    }

    private void Push(in LaneInput input, TimeSpan now)
    {
        if (input.Bytes >= LargeChange)
            Interlocked.Add(ref _bytesOnTheWay, -input.Bytes);
        var caller = input.Subject as CallerSpan;
        _core.Push(input.Handle!, (PushedChange)(caller?.Message ?? input.Subject!), now, input.Bytes);
        if (caller is not null && input.Handle!.Work is { } work)
            (work.Callers ??= new CallerSpans()).Add(caller.Context, work.IsDirty);
    }

    private void TakeMessage(in LaneInput input)
    {
        var subject = input.Subject;
        if (subject is CallerSpan caller)
        {
            // What is durable already has no batch to come.
            if (input.Handle!.Work is { } work)
                (work.Callers ??= new CallerSpans()).Add(caller.Context, work.IsDirty);
            subject = caller.Message;
        }

        if (subject is not null)
            _core.Send(input.Handle!, (Message)subject);
    }
}
