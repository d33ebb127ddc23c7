namespace Stout.Experiments.Measuring;

/// <summary>
/// A number that goes up and down, and its mean over time. It knows nothing of how long anything took, so that Little's law can be
/// checked against latencies.
/// </summary>
internal sealed class TimedCount
{
    private double _area;
    private TimeSpan _since;
    private TimeSpan _changedAt;

    public long Value { get; private set; }

    /// <summary>The mean since the last <see cref="Restart"/>.</summary>
    public double Mean(TimeSpan now) => now == _since ? Value : (_area + AreaUntil(now)) / (now - _since).Ticks;

    public void Change(long by, TimeSpan now)
    {
        _area += AreaUntil(now);
        _changedAt = now;
        Value += by;
    }

    /// <summary>The mean counts from now on.</summary>
    public void Restart(TimeSpan now)
    {
        _area = 0;
        _since = _changedAt = now;
    }

    private double AreaUntil(TimeSpan now) => (double)Value * (now - _changedAt).Ticks;
}
