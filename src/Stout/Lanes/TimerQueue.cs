namespace Stout.Lanes;

/// <summary>Which timers are set for when. Each is set for one time at most; pure, and its time is whatever counts evenly.</summary>
internal sealed class TimerQueue
{
    private readonly PriorityQueue<QueuedTimer, TimeSpan> _timers = new();

    /// <summary>When the next one is due; null where none is set.</summary>
    public TimeSpan? Next => _timers.TryPeek(out _, out var due) ? due : null;

    /// <summary>Sets a timer, in place of what it was set for.</summary>
    public void Set(QueuedTimer timer, TimeSpan due)
    {
        Cancel(timer);
        _timers.Enqueue(timer, due);
    }

    // There are as many timers as lanes: to look through them all costs less than to keep what is no longer wanted.
    public void Cancel(QueuedTimer timer) => _timers.Remove(timer, out _, out _);

    /// <summary>Takes out the timers that are due, the earliest first.</summary>
    public bool TryTakeDue(TimeSpan now, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out QueuedTimer? timer)
    {
        if (Next <= now)
        {
            timer = _timers.Dequeue();
            return true;
        }

        timer = null;
        return false;
    }
}

/// <summary>Something that fires.</summary>
/// <param name="fire">Must be quick, and not throw: other timers wait for it.</param>
internal sealed class QueuedTimer(Action fire)
{
    public void Fire() => fire();
}
