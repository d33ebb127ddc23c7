namespace Stout.Lanes;

/// <summary>A lane's time, counted from its start, and its alarm.</summary>
internal sealed class LaneClock : IDisposable
{
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly ITimer _timer;
    private long _armedFor = long.MaxValue;

    public LaneClock(TimeProvider time, Action ring)
    {
        _time = time;
        _start = time.GetTimestamp();
        _timer = time.CreateTimer(_ => Ring(ring), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Rings at the given time, or somewhat before it: then it is set again.</summary>
    public void WakeAt(TimeSpan? at)
    {
        if (at is not { } due)
            return;
        var now = Now;
        // Setting a timer costs more than an early ring.
        var armedFor = Volatile.Read(ref _armedFor);
        if (armedFor <= due.Ticks && armedFor > now.Ticks)
            return;
        Volatile.Write(ref _armedFor, due.Ticks);
        // The system's timers count whole milliseconds and cut off the rest, which would ring early and spin.
        var wait = Math.Max(0, Math.Ceiling((due - now).TotalMilliseconds));
        _timer.Change(TimeSpan.FromMilliseconds(wait), Timeout.InfiniteTimeSpan);
    }

    private void Ring(Action ring)
    {
        // The system's timers go by a coarser clock than ours and may ring before their time: the alarm is off all the same.
        Volatile.Write(ref _armedFor, long.MaxValue);
        ring();
    }

    public void Dispose() => _timer.Dispose();
}
