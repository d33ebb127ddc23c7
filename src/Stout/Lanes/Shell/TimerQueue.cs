namespace Stout.Lanes.Shell;

/// <summary>A priority queue of timers, each with at most one due time. Pure: the caller supplies the time.</summary>
internal sealed class TimerQueue
{
    private readonly PriorityQueue<QueuedTimer, TimeSpan> _timers = new();

    /// <summary>The earliest due time, or null.</summary>
    public TimeSpan? Next => _timers.TryPeek(out _, out var due) ? due : null;

    /// <summary>Sets a timer, replacing its previous due time.</summary>
    public void Set(QueuedTimer timer, TimeSpan due)
    {
        Cancel(timer);
        _timers.Enqueue(timer, due);
    }

    // There are as many timers as lanes, so a linear search is cheaper than keeping cancelled entries.
    public void Cancel(QueuedTimer timer) => _timers.Remove(timer, out _, out _);

    /// <summary>Removes the earliest timer that is due.</summary>
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

/// <summary>A timer in a <see cref="TimerQueue"/>.</summary>
/// <param name="fire">The callback. It must be quick and must not throw, since other timers wait for it.</param>
internal sealed class QueuedTimer(Action fire)
{
    public void Fire() => fire();
}
