using HdrHistogram;

namespace Stout.Experiments.Measuring;

/// <summary>
/// A histogram of latencies from 100 ns to 5 days. Percentiles have a relative error below 1 %; count, mean and largest value are exact.
/// Recording is O(1) and allocates nothing.
/// </summary>
internal sealed class LatencyHistogram
{
    /// <summary>Two significant digits: 128 buckets for each power of two.</summary>
    private const int SignificantDigits = 2;

    /// <summary>The longest latency that has a bucket of its own, in ticks; longer ones share it.</summary>
    private const long LongestTicks = 1L << 42;

    private readonly LongHistogram _ticks = new(1, LongestTicks, SignificantDigits);
    private Int128 _sum;

    public long Count => _ticks.TotalCount;

    public TimeSpan Max { get; private set; }

    /// <summary>The exact mean in milliseconds; NaN without samples.</summary>
    public double MeanMilliseconds => Count == 0 ? double.NaN : (double)_sum / Count / TimeSpan.TicksPerMillisecond;

    /// <summary>Adds a latency; a negative one counts as zero.</summary>
    public void Record(TimeSpan latency)
    {
        var ticks = Math.Max(0, latency.Ticks);
        _ticks.RecordValue(Math.Min(ticks, LongestTicks));
        _sum += ticks;
        if (latency > Max)
            Max = latency;
    }

    /// <summary>The sample at the rank nearest to this share of all, in milliseconds; NaN without samples.</summary>
    public double PercentileMilliseconds(double percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        return Count == 0 ? double.NaN : Math.Min(_ticks.GetValueAtPercentile(percent), Max.Ticks) / (double)TimeSpan.TicksPerMillisecond;
    }

    public void Add(LatencyHistogram other)
    {
        _ticks.Add(other._ticks);
        _sum += other._sum;
        if (other.Max > Max)
            Max = other.Max;
    }
}
