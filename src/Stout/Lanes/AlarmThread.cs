namespace Stout.Lanes;

/// <summary>
/// A thread that rings alarms within a millisecond or so of their time. The runtime's own timers read a clock that Linux commonly moves on every four milliseconds
/// only: a timer of one rings after four, where a thread that waits for one goes on after 1.1. It lives as long as there are alarms.
/// </summary>
internal sealed class AlarmThread
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    // In milliseconds, of which a wait may have no more than an int has. Nothing happens when it is over.
    private const double LongestWait = 60_000;

    private readonly object _lock = new();
    private readonly AlarmQueue _queue = new();
    private readonly long _start = TimeProvider.System.GetTimestamp();
    private readonly HashSet<Alarm> _alarms = [];
    private bool _isRunning;
    private TimeSpan _wakesAt;

    /// <summary>The one of this process.</summary>
    public static AlarmThread Shared { get; } = new();

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

    /// <summary>An alarm is there, and not set yet.</summary>
    public void Add(Alarm alarm)
    {
        lock (_lock)
        {
            _alarms.Add(alarm);
            if (_isRunning)
                return;
            _isRunning = true;
            // Lanes wait for it, and it has next to nothing to do.
            new Thread(Run) { IsBackground = true, Name = "Stout alarms", Priority = ThreadPriority.AboveNormal }.UnsafeStart();
        }
    }

    /// <summary>Sets an alarm, in place of what it was set for; false, and nothing is set, where it is gone.</summary>
    public bool TrySet(Alarm alarm, TimeSpan wait)
    {
        lock (_lock)
        {
            if (!_alarms.Contains(alarm))
                return false;
            var due = Now + wait;
            _queue.Set(alarm, due);
            // To wake the thread costs more than to be a step late.
            if (due + Step < _wakesAt)
                Monitor.Pulse(_lock);
            return true;
        }
    }

    public void Cancel(Alarm alarm)
    {
        lock (_lock)
            _queue.Cancel(alarm);
    }

    /// <summary>An alarm is gone; a second time changes nothing.</summary>
    public void Remove(Alarm alarm)
    {
        lock (_lock)
        {
            _queue.Cancel(alarm);
            if (_alarms.Remove(alarm) && _alarms.Count == 0)
                Monitor.Pulse(_lock);
        }
    }

    private void Run()
    {
        while (TryWaitForDue(out var alarm))
            alarm.Ring();
    }

    private bool TryWaitForDue([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Alarm? alarm)
    {
        lock (_lock)
        {
            while (!_queue.TryTakeDue(Now, out alarm))
            {
                if (_alarms.Count == 0)
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
