namespace Stout.Experiments.Measuring;

/// <summary>
/// A number that goes up and down, and its mean over time. The mean does not use latencies, so that Little's law can be checked against them.
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

    /// <summary>Begins a new span for the mean.</summary>
    public void Restart(TimeSpan now)
    {
        _area = 0;
        _since = _changedAt = now;
    }

    private double AreaUntil(TimeSpan now) => (double)Value * (now - _changedAt).Ticks;
}
