namespace Stout.Testing;

/// <summary>
/// A clock that stands still until it is told to go on. Its timers fire on the thread that moves it, the earliest first, each at its
/// own time. It begins at 2026-01-01 00:00 UTC.
/// </summary>
public sealed class ManualTime : TimeProvider
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _now;

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        lock (_lock)
            return _now.Ticks;
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => Start + TimeSpan.FromTicks(GetTimestamp());

    /// <summary>Lets time pass, and fires the timers that come due on the way.</summary>
    /// <param name="time">How much; not negative.</param>
    public void Advance(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        var end = TimeSpan.FromTicks(GetTimestamp()) + time;
        while (TakeDue(end) is { } timer)
            timer.Fire();
        lock (_lock)
            _now = end;
    }

    /// <summary>Fires every timer that is set, before its time, as coarse system timers do. A periodic one goes on from now.</summary>
    public void RingEarly()
    {
        List<ManualTimer> set;
        lock (_lock)
        {
            set = _timers.FindAll(timer => timer.Due is not null);
            foreach (var timer in set)
                SetNext_NeedsLock(timer);
        }

        foreach (var timer in set)
            timer.Fire();
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        lock (_lock)
            _timers.Add(timer);
        return timer;
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
            SetNext_NeedsLock(first);
            return first;
        }
    }

    private void SetNext_NeedsLock(ManualTimer fired) => fired.Due = fired.Period > TimeSpan.Zero ? _now + fired.Period : null;

    private sealed class ManualTimer(ManualTime time, Action callback) : ITimer
    {
        public TimeSpan? Due { get; set; }

        public TimeSpan Period { get; private set; }

        public void Fire() => callback();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                Due = dueTime == Timeout.InfiniteTimeSpan ? null : time._now + dueTime;
                Period = period;
            }

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
