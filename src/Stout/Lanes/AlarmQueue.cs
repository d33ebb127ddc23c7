namespace Stout.Lanes;

/// <summary>Which alarms are set for when. Each is set for one time at most; pure, and its time is whatever counts evenly.</summary>
internal sealed class AlarmQueue
{
    private readonly PriorityQueue<Alarm, TimeSpan> _alarms = new();

    /// <summary>When the next one is due; null where none is set.</summary>
    public TimeSpan? Next => _alarms.TryPeek(out _, out var due) ? due : null;

    /// <summary>Sets an alarm, in place of what it was set for.</summary>
    public void Set(Alarm alarm, TimeSpan due)
    {
        Cancel(alarm);
        _alarms.Enqueue(alarm, due);
    }

    // There are as many alarms as lanes: to look through them all costs less than to keep what is no longer wanted.
    public void Cancel(Alarm alarm) => _alarms.Remove(alarm, out _, out _);

    /// <summary>Takes out the alarms that are due, the earliest first.</summary>
    public bool TryTakeDue(TimeSpan now, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Alarm? alarm)
    {
        if (Next <= now)
        {
            alarm = _alarms.Dequeue();
            return true;
        }

        alarm = null;
        return false;
    }
}

/// <summary>Something that rings.</summary>
/// <param name="ring">Must be quick, and not throw: other alarms wait for it.</param>
internal sealed class Alarm(Action ring)
{
    public void Ring() => ring();
}
