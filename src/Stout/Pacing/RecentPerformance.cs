namespace Stout.Pacing;

/// <summary>
/// The paper's <c>perf*</c>, the reference for the current performance (section 3.2.2). A back-off restarts the best performance, and an acceleration
/// restarts the averages, so that <c>perf*</c> reflects the effect of the law's last decisions.
/// </summary>
internal struct RecentPerformance(double ewmaFactor)
{
    private bool _backedOff;
    private double _best;
    private Ewma _bytes = new(ewmaFactor);
    private Ewma _latency = new(ewmaFactor);
    private Ewma _interval = new(ewmaFactor);

    /// <summary>EWMA(lat) over the decisions since the last acceleration, in milliseconds.</summary>
    public readonly double Latency => _latency.Value;

    /// <summary><c>perf*</c> for a window whose requests left <paramref name="interval"/> milliseconds apart.</summary>
    public readonly double ComparedAt(double interval)
    {
        if (!_backedOff)
            return _best; // Equation 1.

        // Equation 2 applies if the average interval is longer, equation 3 if the current interval is longer. With the longer interval, a back-off by
        // itself does not look like a loss of performance.
        return Measurement.PerformanceOf(_bytes.Value, _latency.Value, Math.Max(interval, _interval.Value));
    }

    public void Add(in Measurement measurement)
    {
        _best = Math.Max(_best, measurement.Performance);
        _bytes.Add(measurement.Bytes);
        _latency.Add(measurement.Latency);
        _interval.Add(measurement.Interval);
    }

    /// <summary>Restarts the best performance after a back-off.</summary>
    public void BackedOff()
    {
        _backedOff = true;
        _best = 0;
    }

    /// <summary>Restarts the averages after an acceleration.</summary>
    public void Accelerated()
    {
        _backedOff = false;
        _bytes.Reset();
        _latency.Reset();
        _interval.Reset();
    }
}
