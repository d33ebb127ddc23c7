namespace Stout.Storage.Specification;

/// <summary>A clock that stands still until it is told to go on; timers fire then.</summary>
public sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Timer> _timers = [];
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
            return _now;
    }

    /// <summary>Lets time pass, and fires the timers that are due.</summary>
    public void Advance(TimeSpan time)
    {
        List<Timer> due;
        lock (_lock)
        {
            _now += time;
            due = _timers.FindAll(timer => timer.Due <= _now);
            due.ForEach(timer => timer.Due = null);
        }

        due.ForEach(timer => timer.Fire());
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(this, () => callback(state));
        lock (_lock)
            _timers.Add(timer);
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class Timer(ManualTime time, Action callback) : ITimer
    {
        public DateTimeOffset? Due { get; set; }

        public void Fire() => callback();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
                Due = dueTime == Timeout.InfiniteTimeSpan ? null : time._now + dueTime;
            return true;
        }

        public void Dispose()
        {
            lock (time._lock)
                time._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
