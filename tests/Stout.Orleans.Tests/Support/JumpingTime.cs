namespace Stout.Orleans.Tests;

/// <summary>The system's clock, which a test puts forward: the timers that become due fire at once.</summary>
internal sealed class JumpingTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly HashSet<Timer> _timers = [];
    private readonly List<(TimeSpan DueTime, TaskCompletionSource Reached)> _awaited = [];
    private TimeSpan _ahead;

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Ahead;

    public override long GetTimestamp() => base.GetTimestamp() + (long)(Ahead.TotalSeconds * TimestampFrequency);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(this, callback, state);
        timer.Change(dueTime, period);
        lock (_lock)
            _awaited.FindAll(awaited => awaited.DueTime == dueTime).ForEach(static awaited => awaited.Reached.TrySetResult());
        return timer;
    }

    /// <summary>Completes when a wait of this time has begun.</summary>
    public Task WhenWaiting(TimeSpan dueTime)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
            _awaited.Add((dueTime, reached));
        return reached.Task;
    }

    /// <summary>Puts the clock forward.</summary>
    public void Jump(TimeSpan by)
    {
        List<Timer> timers;
        lock (_lock)
        {
            _ahead += by;
            timers = [.. _timers];
        }

        timers.ForEach(static timer => timer.Rearm());
    }

    private TimeSpan Ahead
    {
        get
        {
            lock (_lock)
                return _ahead;
        }
    }

    private ITimer BaseTimer(TimerCallback callback) => base.CreateTimer(callback, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

    private sealed class Timer : ITimer
    {
        private readonly Lock _lock = new();
        private readonly JumpingTime _time;
        private readonly ITimer _inner;
        private long? _due;
        private TimeSpan _period;

        public Timer(JumpingTime time, TimerCallback callback, object? state)
        {
            _time = time;
            _inner = time.BaseTimer(_ => Fire(callback, state));
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (_lock)
            {
                _due = dueTime < TimeSpan.Zero ? null : _time.GetTimestamp() + (long)(dueTime.TotalSeconds * _time.TimestampFrequency);
                _period = period;
            }

            lock (_time._lock)
                _time._timers.Add(this);
            Rearm();
            return true;
        }

        public void Rearm()
        {
            lock (_lock)
            {
                var left = _due is { } due ? _time.GetElapsedTime(_time.GetTimestamp(), due) : Timeout.InfiniteTimeSpan;
                _inner.Change(_due is null ? left : TimeSpan.FromMilliseconds(Math.Max(0, Math.Ceiling(left.TotalMilliseconds))), Timeout.InfiniteTimeSpan);
            }
        }

        public void Dispose()
        {
            lock (_time._lock)
                _time._timers.Remove(this);
            _inner.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            lock (_time._lock)
                _time._timers.Remove(this);
            return _inner.DisposeAsync();
        }

        private void Fire(TimerCallback callback, object? state)
        {
            bool isDue;
            lock (_lock)
            {
                // The system's timer counts in milliseconds, so it may fire early.
                isDue = _due is { } due && _time.GetElapsedTime(_time.GetTimestamp(), due) <= TimeSpan.Zero;
                if (isDue)
                    _due = _period > TimeSpan.Zero ? _time.GetTimestamp() + (long)(_period.TotalSeconds * _time.TimestampFrequency) : null;
            }

            Rearm();
            if (isDue)
                callback(state);
        }
    }
}
