namespace Stout.Lanes;

/// <summary>
/// The system's time, with timers that ring once and nearly on time (<see cref="AlarmThread"/>): an interval of two milliseconds that lasts four
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

    /// <summary>A timer that rings once each time it is set; its callback must be quick, for all such timers share a thread.</summary>
    /// <exception cref="NotSupportedException">A period was asked for.</exception>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Timer(new Alarm(() => callback(state)));
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class Timer : ITimer
    {
        private readonly Alarm _alarm;

        public Timer(Alarm alarm)
        {
            _alarm = alarm;
            AlarmThread.Shared.Add(alarm);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (period != Timeout.InfiniteTimeSpan)
                throw new NotSupportedException("It rings once.");
            if (dueTime != Timeout.InfiniteTimeSpan)
                return AlarmThread.Shared.TrySet(_alarm, dueTime);
            AlarmThread.Shared.Cancel(_alarm);
            return true;
        }

        public void Dispose() => AlarmThread.Shared.Remove(_alarm);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
