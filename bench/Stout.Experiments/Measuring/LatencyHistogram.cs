using System.Numerics;

namespace Stout.Experiments.Measuring;

/// <summary>
/// A histogram of latencies from 100 ns to years with a relative error below 1 %: each power of two has 128 buckets. Mean and largest value are exact.
/// Recording is O(1) and allocates nothing once the largest value's bucket exists.
/// </summary>
/// <remarks>
/// HdrHistogram 2.5.0 was tried in its place. With two digits it reports 272,730,423,295 as the highest value of the bucket that begins at 2^38. That is
/// less than every value in the bucket.
/// </remarks>
internal sealed class LatencyHistogram
{
    private const int Precision = 7;
    private const int ExactBelow = 1 << (Precision + 1);

    private long[] _counts = new long[4096];
    private Int128 _sum;

    public long Count { get; private set; }

    public TimeSpan Max { get; private set; }

    /// <summary>The exact mean in milliseconds; NaN without samples.</summary>
    public double MeanMilliseconds => Count == 0 ? double.NaN : (double)_sum / Count / TimeSpan.TicksPerMillisecond;

    /// <summary>Adds a latency; a negative one counts as zero.</summary>
    public void Record(TimeSpan latency)
    {
        var ticks = Math.Max(0, latency.Ticks);
        var bucket = BucketOf(ticks);
        if (bucket >= _counts.Length)
            Array.Resize(ref _counts, Math.Max(bucket + 1, 2 * _counts.Length));
        _counts[bucket]++;
        _sum += ticks;
        Count++;
        if (latency > Max)
            Max = latency;
    }

    /// <summary>
    /// The percentile by nearest rank, in milliseconds: the least value that this percentage of the latencies does not exceed. NaN without samples.
    /// </summary>
    public double PercentileMilliseconds(double percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        if (Count == 0)
            return double.NaN;
        var rank = Math.Max(1, (long)Math.Ceiling(percent / 100 * Count));
        long below = 0;
        var bucket = 0;
        while ((below += _counts[bucket]) < rank)
            bucket++;
        return Math.Min(MiddleOf(bucket), Max.Ticks) / TimeSpan.TicksPerMillisecond;
    }

    public void Add(LatencyHistogram other)
    {
        if (other._counts.Length > _counts.Length)
            Array.Resize(ref _counts, other._counts.Length);
        for (var i = 0; i < other._counts.Length; i++)
            _counts[i] += other._counts[i];
        _sum += other._sum;
        Count += other.Count;
        if (other.Max > Max)
            Max = other.Max;
    }

    private static int BucketOf(long ticks)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)ticks | 1) - Precision);
        return (shift << Precision) + (int)(ticks >> shift);
    }

    private static double MiddleOf(int bucket)
    {
        if (bucket < ExactBelow)
            return bucket;
        var shift = (bucket >> Precision) - 1;
        var least = (long)(bucket - (shift << Precision)) << shift;
        return least + (((1L << shift) - 1) / 2.0);
    }
}
