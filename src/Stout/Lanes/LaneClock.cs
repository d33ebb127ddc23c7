namespace Stout.Lanes;

/// <summary>A lane's time, from 0 on a monotonic clock, and its timer.</summary>
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

    /// <summary>How late its timer fires at most, or nearly so. Other time providers than the system's count as exact.</summary>
    public static TimeSpan StepOf(TimeProvider time) => time == TimeProvider.System ? TimeSpan.FromMilliseconds(1) : TimeSpan.Zero;

    public TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Rings at the given time, or somewhat before it: then it is set again.</summary>
    public void WakeAt(TimeSpan? at)
    {
        if (at is not { } due)
            return;
        var now = Now;
        // Setting a timer costs more than an early fire.
        if (_armedFor <= due && _armedFor > now)
            return;
        _armedFor = due;
        // Timers count whole milliseconds, and the system's cut off the rest: they would fire early and spin.
        var wait = Math.Max(0, Math.Ceiling((due - now).TotalMilliseconds));
        _timer.Change(TimeSpan.FromMilliseconds(wait), Timeout.InfiniteTimeSpan);
    }

    /// <summary>The timer has fired, perhaps before its time (system timers are coarse): it is set again where it is needed.</summary>
    public void HasRung() => _armedFor = TimeSpan.MaxValue;

    public void Dispose() => _timer.Dispose();
}
