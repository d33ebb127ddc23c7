namespace Stout.Lanes;

/// <summary>
/// The system's time, with timers that ring once and nearly on time (<see cref="TimerThread"/>): an interval of two milliseconds that lasts four
/// is another one than the law has chosen.
/// </summary>
internal sealed class PunctualTime : TimeProvider
{
    private static readonly PunctualTime Instance = new();

    private PunctualTime()
    {
    }

    public override long TimestampFrequency => System.TimestampFrequency;

    /// <summary>Such a time in place of the system's own; any other is left as it is.</summary>
    public static TimeProvider InPlaceOf(TimeProvider time) => time == System ? Instance : time;

    public override DateTimeOffset GetUtcNow() => System.GetUtcNow();

    public override long GetTimestamp() => System.GetTimestamp();

    /// <summary>A timer that fires once each time it is set; its callback must be quick, for all such timers share a thread.</summary>
    /// <exception cref="NotSupportedException">A period was asked for.</exception>
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
