namespace Stout.Documents.Tests.Expiry;

/// <summary>A clock whose wall time a test sets apart from its timers and its monotonic time.</summary>
internal sealed class WallClock(TimeProvider inner) : TimeProvider
{
    private long _offset;

    /// <summary>By how much the wall time is ahead.</summary>
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
