namespace Stout.Lanes.Shell;

/// <summary>A lane's clock, monotonic and starting at 0, and its timer.</summary>
internal sealed class LaneClock : IDisposable
{
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly ITimer _timer;
    private TimeSpan _armedFor = TimeSpan.MaxValue;

    public LaneClock(TimeProvider time, Action fire)
    {
        _time = time;
        _start = time.GetTimestamp();
        _timer = PunctualTime.InPlaceOf(time).CreateTimer(static fire => ((Action)fire!)(), fire, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The timer's usual accuracy. Time providers other than the system's count as exact.</summary>
    public static TimeSpan StepOf(TimeProvider time) => time == TimeProvider.System ? TimeSpan.FromMilliseconds(1) : TimeSpan.Zero;

    public TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Sets the timer. It may fire somewhat early, and is then set again.</summary>
    public void WakeAt(TimeSpan? at)
    {
        if (at is not { } due)
            return;
        var now = Now;
        // Resetting a timer costs more than one early firing.
        if (_armedFor <= due && _armedFor > now)
            return;
        _armedFor = due;
        // A provider's timer may truncate the wait to whole milliseconds. Without rounding up, it would fire early again and again.
        var wait = Math.Max(0, Math.Ceiling((due - now).TotalMilliseconds));
        _timer.Change(TimeSpan.FromMilliseconds(wait), Timeout.InfiniteTimeSpan);
    }

    /// <summary>Records that the timer fired, perhaps early, so that it is set again when needed.</summary>
    public void HasFired() => _armedFor = TimeSpan.MaxValue;

    public void Dispose() => _timer.Dispose();
}
