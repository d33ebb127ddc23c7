using Microsoft.Extensions.Time.Testing;

namespace Stout.Tests;

/// <summary>A manual clock whose timers can also fire before their time, as coarse system timers do.</summary>
internal sealed class EarlyTime : FakeTimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Action> _callbacks = [];

    /// <summary>The time by which the wall clock is ahead of timers and timestamps.</summary>
    public TimeSpan WallClockIsAhead { get; set; }

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + WallClockIsAhead;

    public override long GetTimestamp() => base.GetUtcNow().Ticks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
            _callbacks.Add(() => callback(state));
        return base.CreateTimer(callback, state, dueTime, period);
    }

    /// <summary>Fires every timer now. Each timer fires again at its own time.</summary>
    public void FireEarly()
    {
        Action[] callbacks;
        lock (_lock)
            callbacks = [.. _callbacks];
        foreach (var callback in callbacks)
            callback();
    }
}
