namespace Stout.Lanes;

/// <summary>
/// A thread that fires timers within a millisecond or so of their time. The runtime's own timers read a clock that Linux commonly moves on every four milliseconds
/// only: a timer of one fires after four, where a thread that waits for one goes on after 1.1. It lives as long as there are timers.
/// </summary>
internal sealed class TimerThread
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    // In milliseconds, of which a wait may have no more than an int has. Nothing happens when it is over.
    private const double LongestWait = 60_000;

    private readonly object _lock = new();
    private readonly TimerQueue _queue = new();
    private readonly long _start = TimeProvider.System.GetTimestamp();
    private readonly HashSet<QueuedTimer> _timers = [];
    private bool _isRunning;
    private TimeSpan _wakesAt;

    /// <summary>The one of this process.</summary>
    public static TimerThread Shared { get; } = new();

    /// <summary>Whether there is a thread just now.</summary>
    public bool IsRunning
    {
        get
        {
            lock (_lock)
                return _isRunning;
        }
    }

    private TimeSpan Now => TimeProvider.System.GetElapsedTime(_start);

    /// <summary>A timer is there, and not set yet.</summary>
    public void Add(QueuedTimer timer)
    {
        lock (_lock)
        {
            _timers.Add(timer);
            if (_isRunning)
                return;
            _isRunning = true;
            // Lanes wait for it, and it has next to nothing to do.
            new Thread(Run) { IsBackground = true, Name = "Stout timers", Priority = ThreadPriority.AboveNormal }.UnsafeStart();
        }
    }

    /// <summary>Sets a timer, in place of what it was set for; false, and nothing is set, where it is gone.</summary>
    public bool TrySet(QueuedTimer timer, TimeSpan wait)
    {
        lock (_lock)
        {
            if (!_timers.Contains(timer))
                return false;
            var due = Now + wait;
            _queue.Set(timer, due);
            // To wake the thread costs more than to be a step late.
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

    /// <summary>A timer is gone; a second time changes nothing.</summary>
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
