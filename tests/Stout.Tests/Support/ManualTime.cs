namespace Stout.Tests.Support;

/// <summary>A clock that stands still until it is told to go on. Its timers fire on the thread that moves it, the earliest first.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp()
    {
        lock (_lock)
            return _now.Ticks;
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + TimeSpan.FromTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        lock (_lock)
            _timers.Add(timer);
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan time)
    {
        var end = TimeSpan.FromTicks(GetTimestamp()) + time;
        while (TakeDue(end) is { } timer)
            timer.Fire();
        lock (_lock)
            _now = end;
    }

    /// <summary>Fires every timer that is set, before its time, as coarse system timers do.</summary>
    public void RingEarly()
    {
        List<ManualTimer> set;
        lock (_lock)
        {
            set = _timers.FindAll(timer => timer.Due is not null);
            set.ForEach(timer => timer.Due = null);
        }

        set.ForEach(timer => timer.Fire());
    }

    private ManualTimer? TakeDue(TimeSpan end)
    {
        lock (_lock)
        {
            var first = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
            if (first is null)
                return null;
            if (first.Due > _now)
                _now = first.Due.Value;
            first.Due = null;
            return first;
        }
    }

    private sealed class ManualTimer(ManualTime time, Action callback) : ITimer
    {
        public TimeSpan? Due { get; set; }

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
