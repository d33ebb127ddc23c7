namespace Stout.Documents.Tests.Expiry;

/// <summary>A clock whose wall time a test can shift. Its timers and its monotonic time are those of the inner clock.</summary>
internal sealed class WallClock(TimeProvider inner) : TimeProvider
{
    private long _offset;

    /// <summary>The time by which the wall time is ahead of the inner clock's.</summary>
    public TimeSpan Offset
    {
        get => new(Volatile.Read(ref _offset));
        set => Volatile.Write(ref _offset, value.Ticks);
    }

    public override long TimestampFrequency => inner.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => inner.GetUtcNow() + Offset;

    public override long GetTimestamp() => inner.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        inner.CreateTimer(callback, state, dueTime, period);
}
