namespace Stout.Lanes.Shell;

/// <summary>
/// A thread that fires timers within about a millisecond. The runtime's timers use a clock that Linux commonly advances every 4 ms: a timer of 1 ms
/// fires after 4 ms. A thread that waits for 1 ms continues after 1.1 ms. The thread runs while timers exist.
/// </summary>
internal sealed class TimerThread
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    // In milliseconds, so that a wait fits into an int. If no timer is due after this wait, the thread waits again.
    private const double LongestWait = 60_000;

    private readonly object _lock = new();
    private readonly TimerQueue _queue = new();
    private readonly long _start = TimeProvider.System.GetTimestamp();
    private readonly HashSet<QueuedTimer> _timers = [];
    private bool _isRunning;
    private TimeSpan _wakesAt;

    /// <summary>The process-wide instance.</summary>
    public static TimerThread Shared { get; } = new();

    /// <summary>Whether the thread is running.</summary>
    public bool IsRunning
    {
        get
        {
            lock (_lock)
                return _isRunning;
        }
    }

    private TimeSpan Now => TimeProvider.System.GetElapsedTime(_start);

    /// <summary>Registers a timer without a due time.</summary>
    public void Add(QueuedTimer timer)
    {
        lock (_lock)
        {
            _timers.Add(timer);
            if (_isRunning)
                return;
            _isRunning = true;
            // The priority is above normal, since lanes wait for this thread and it needs very little processor time.
            new Thread(Run) { IsBackground = true, Name = "Stout timers", Priority = ThreadPriority.AboveNormal }.UnsafeStart();
        }
    }

    /// <summary>Sets a timer, replacing its previous due time; returns false if the timer was removed.</summary>
    public bool TrySet(QueuedTimer timer, TimeSpan wait)
    {
        lock (_lock)
        {
            if (!_timers.Contains(timer))
                return false;
            var due = Now + wait;
            _queue.Set(timer, due);
            // Waking the thread costs more than firing one step late.
            if (due + Step < _wakesAt)
                Monitor.Pulse(_lock);
            return true;
        }
    }

    public void Cancel(QueuedTimer timer)
    {
        lock (_lock)
            _queue.Cancel(timer);
    }

    /// <summary>Removes a timer. Repeated calls have no effect.</summary>
    public void Remove(QueuedTimer timer)
    {
        lock (_lock)
        {
            _queue.Cancel(timer);
            if (_timers.Remove(timer) && _timers.Count == 0)
                Monitor.Pulse(_lock);
        }
    }

    private void Run()
    {
        while (TryWaitForDue(out var timer))
            timer.Fire();
    }

    private bool TryWaitForDue([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out QueuedTimer? timer)
    {
        lock (_lock)
        {
            while (!_queue.TryTakeDue(Now, out timer))
            {
                if (_timers.Count == 0)
                {
                    _isRunning = false;
                    return false;
                }

                // Threads wait for whole milliseconds.
                var wait = Math.Clamp(Math.Floor((_queue.Next - Now)?.TotalMilliseconds ?? LongestWait), 1, LongestWait);
                _wakesAt = Now + TimeSpan.FromMilliseconds(wait);
                Monitor.Wait(_lock, (int)wait);
            }

            return true;
        }
    }
}
