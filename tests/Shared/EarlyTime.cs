using Microsoft.Extensions.Time.Testing;

namespace Stout.Tests;

/// <summary>A manual clock whose timers can also fire before their time, as coarse system timers do.</summary>
internal sealed class EarlyTime : FakeTimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Action> _callbacks = [];

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
            _callbacks.Add(() => callback(state));
        return base.CreateTimer(callback, state, dueTime, period);
    }

    /// <summary>Fires every timer at once; each fires again at its own time.</summary>
    public void RingEarly()
    {
        Action[] callbacks;
        lock (_lock)
            callbacks = [.. _callbacks];
        foreach (var callback in callbacks)
            callback();
    }
}
