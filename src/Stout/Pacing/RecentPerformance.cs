namespace Stout.Pacing;

/// <summary>
/// The paper's <c>perf*</c>, the performance that the current one is compared with (section 3.2.2). What it remembers depends
/// on the law's own last decision, so that it sees the effect of that decision and not its shadow.
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

        // Equation 2 where the average interval is the longer one, equation 3 where the current one is: having backed off
        // must not by itself look like a loss of performance.
        return Measurement.PerformanceOf(_bytes.Value, _latency.Value, Math.Max(interval, _interval.Value));
    }

    public void Add(in Measurement measurement)
    {
        _best = Math.Max(_best, measurement.Performance);
        _bytes.Add(measurement.Bytes);
        _latency.Add(measurement.Latency);
        _interval.Add(measurement.Interval);
    }

    /// <summary>The best counts since the last back-off.</summary>
    public void BackedOff()
    {
        _backedOff = true;
        _best = 0;
    }

    /// <summary>The averages run since the last acceleration.</summary>
    public void Accelerated()
    {
        _backedOff = false;
        _bytes.Reset();
        _latency.Reset();
        _interval.Reset();
    }
}
