namespace Stout.Argon.Tests.Engine;

/// <summary>
/// A manual clock whose timers fire in <see cref="Advance"/> alone. FakeTimeProvider also fires due timers on any thread that reads the clock: there the
/// server would be entered again while it holds its own lock, as no real clock does.
/// </summary>
internal sealed class SteppedTime : TimeProvider
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    private readonly Lock _lock = new();
    private readonly List<SteppedTimer> _timers = [];
    private TaskCompletionSource? _created;
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new SteppedTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        _created?.TrySetResult();
        return timer;
    }

    /// <summary>Completes when the next timer exists.</summary>
    public Task Watching() => (_created = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    /// <summary>Advances the clock, and fires the timers that are due then, one after the other.</summary>
    public void Advance(TimeSpan step)
    {
        Interlocked.Add(ref _now, step.Ticks);
        while (TakeDue() is { } fire)
            fire();
    }

    /// <summary>Advances the clock in small steps until a call ends, and returns the call's result. The test's time limit ends the loop.</summary>
    public async Task<T> PassAsync<T>(Task<T> call)
    {
        await PassAsync((Task)call);
        return await call;
    }

    /// <inheritdoc cref="PassAsync{T}(Task{T})"/>
    public async Task PassAsync(Task call, TimeSpan? step = null)
    {
        while (!call.IsCompleted)
        {
            TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
            Advance(step ?? s_step);
            await Task.Yield();
        }

        await call;
    }

    private Action? TakeDue()
    {
        lock (_lock)
        {
            if (_timers.Where(timer => timer.Due <= _now).MinBy(static timer => timer.Due) is not { } timer)
                return null;
            if (timer.Period > 0)
                timer.Due = Math.Max(timer.Due + timer.Period, _now + 1);
            else
                _timers.Remove(timer);
            return timer.Fire;
        }
    }

    private sealed class SteppedTimer(SteppedTime time, Action fire) : ITimer
    {
        public Action Fire => fire;

        public long Due { get; set; }

        public long Period { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                time._timers.Remove(this);
                (Due, Period) = (time._now + dueTime.Ticks, period.Ticks);
                if (dueTime >= TimeSpan.Zero)
                    time._timers.Add(this);
            }

            return true;
        }

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
