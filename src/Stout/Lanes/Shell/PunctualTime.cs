namespace Stout.Lanes.Shell;

/// <summary>
/// The system's time with one-shot timers of about 1 ms accuracy (<see cref="TimerThread"/>). The system's timers would turn an interval of 2 ms into
/// 4 ms.
/// </summary>
internal sealed class PunctualTime : TimeProvider
{
    private static readonly PunctualTime Instance = new();

    private PunctualTime()
    {
    }

    public override long TimestampFrequency => System.TimestampFrequency;

    /// <summary>Replaces the system's time provider by this one, and returns any other unchanged.</summary>
    public static TimeProvider InPlaceOf(TimeProvider time) => time == System ? Instance : time;

    public override DateTimeOffset GetUtcNow() => System.GetUtcNow();

    public override long GetTimestamp() => System.GetTimestamp();

    /// <summary>Creates a one-shot timer. Its callback must be quick, since all timers share a thread.</summary>
    /// <exception cref="NotSupportedException">A period was requested.</exception>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(new QueuedTimer(() => callback(state)));
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class Timer : ITimer
    {
        private readonly QueuedTimer _timer;

        public Timer(QueuedTimer timer)
        {
            _timer = timer;
            TimerThread.Shared.Add(timer);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (period != Timeout.InfiniteTimeSpan)
                throw new NotSupportedException("It fires once.");
            if (dueTime != Timeout.InfiniteTimeSpan)
                return TimerThread.Shared.TrySet(_timer, dueTime);
            TimerThread.Shared.Cancel(_timer);
            return true;
        }

        public void Dispose() => TimerThread.Shared.Remove(_timer);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
