namespace Stout.Orleans.Chaos.Silos;

/// <summary>A clock that may be hours off, and go too fast or too slowly.</summary>
internal sealed class DriftingTime : TimeProvider
{
    private readonly Lock _lock = new();
    private long _setAt = System.GetTimestamp();
    private DateTimeOffset _utc = System.GetUtcNow();
    private long _timestamp = System.GetTimestamp();
    private double _rate = 1;
    private bool _isRead;

    /// <summary>
    /// Sets the clock. Once it has been read, it is never set back, since Orleans' collection of idle activations would then fail all activations of the
    /// silo. Timestamps never go back either.
    /// </summary>
    /// <param name="offset">How far the clock is ahead of the machine's.</param>
    /// <param name="rate">The clock's seconds in a real second; above 0.</param>
    public void Set(TimeSpan offset, double rate)
    {
        lock (_lock)
        {
            _timestamp = TimestampNeedsLock();
            var (now, next) = (_utc + (System.GetElapsedTime(_setAt) * _rate), System.GetUtcNow() + offset);
            (_setAt, _utc, _rate) = (System.GetTimestamp(), next > now || !_isRead ? next : now, rate);
        }
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
        {
            _isRead = true;
            return _utc + (System.GetElapsedTime(_setAt) * _rate);
        }
    }

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        lock (_lock)
            return TimestampNeedsLock();
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new Timer(this, System.CreateTimer(callback, state, Real(dueTime), Real(period)));

    private long TimestampNeedsLock() => _timestamp + (long)((System.GetTimestamp() - _setAt) * _rate);

    private TimeSpan Real(TimeSpan time)
    {
        lock (_lock)
            return time == Timeout.InfiniteTimeSpan ? time : time / _rate;
    }

    private sealed class Timer(DriftingTime time, ITimer inner) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => inner.Change(time.Real(dueTime), time.Real(period));

        public void Dispose() => inner.Dispose();

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
