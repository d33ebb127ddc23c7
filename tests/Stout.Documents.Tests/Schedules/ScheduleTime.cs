namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// The schedule's clock. The schedule moves it, and its timers fire on the schedule's thread. While lanes are paused, a lane that asks for the time
/// waits. Meanwhile its callers' changes are in memory, and the lane does not know them yet.
/// </summary>
internal sealed class ScheduleTime(ThreadPoolActivity activity) : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Timer> _timers = [];
    private Stop? _pause;
    private TimeSpan _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public TimeSpan Now
    {
        get
        {
            lock (_lock)
                return _now;
        }
    }

    /// <summary>The due time of the next timer; null without timers.</summary>
    public TimeSpan? NextDue
    {
        get
        {
            lock (_lock)
                return _timers.Min(timer => timer.Due);
        }
    }

    public bool LanesArePaused => _pause is not null;

    public override long GetTimestamp()
    {
        if (Thread.CurrentThread.IsThreadPoolThread && Volatile.Read(ref _pause) is { } pause)
            activity.Block(pause);
        return Now.Ticks;
    }

    public void PauseLanes() => _pause ??= new Stop();

    public void ResumeLanes()
    {
        if (Interlocked.Exchange(ref _pause, null) is { } pause)
            activity.Open(pause);
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + Now;

    /// <summary>Lets time pass, and fires the timers that come due.</summary>
    public void Advance(TimeSpan time)
    {
        List<Timer> due;
        lock (_lock)
        {
            _now += time;
            due = [.. _timers.Where(timer => timer.Due <= _now).OrderBy(timer => timer.Due)];
            foreach (var timer in due)
                timer.Due = null;
        }

        foreach (var timer in due)
            timer.Fire();
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(this, () => callback(state));
        timer.Change(dueTime, period);
        lock (_lock)
            _timers.Add(timer);
        return timer;
    }

    private sealed class Timer(ScheduleTime time, Action fire) : ITimer
    {
        public TimeSpan? Due { get; set; }

        public void Fire() => fire();

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
