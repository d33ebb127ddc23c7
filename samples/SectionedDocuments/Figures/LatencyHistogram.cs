using System.Numerics;

namespace SectionedDocuments.Figures;

/// <summary>
/// Counts latencies in buckets, eight for each doubling, so that a percentile is at most an eighth too high. Recording needs no lock. The counts only
/// grow, so the difference between two copies of them counts the latencies recorded between the two readings.
/// </summary>
internal sealed class LatencyHistogram
{
    private const int BucketsPerDoubling = 8;
    private const int BucketBits = 3;

    /// <summary>The longest latency that is recorded: 71 minutes. A longer one counts as 71 minutes.</summary>
    private const long LongestMicroseconds = (1L << 32) - 1;

    private readonly long[] _counts = new long[IndexOf(LongestMicroseconds) + 1];
    private long _totalMicroseconds;

    public void Record(TimeSpan latency)
    {
        var microseconds = Math.Clamp((long)latency.TotalMicroseconds, 0, LongestMicroseconds);
        Interlocked.Increment(ref _counts[IndexOf(microseconds)]);
        Interlocked.Add(ref _totalMicroseconds, microseconds);
    }

    public LatencyCounts Read()
    {
        var counts = new long[_counts.Length];
        for (var i = 0; i < counts.Length; i++)
            counts[i] = Volatile.Read(ref _counts[i]);
        return new LatencyCounts(counts, Volatile.Read(ref _totalMicroseconds));
    }

    /// <summary>The longest latency that the bucket counts.</summary>
    public static TimeSpan LongestOf(int index)
    {
        if (index < BucketsPerDoubling)
            return TimeSpan.FromMicroseconds(index);
        var doubling = (index / BucketsPerDoubling) - 1;
        return TimeSpan.FromMicroseconds(((BucketsPerDoubling + (index % BucketsPerDoubling) + 1L) << doubling) - 1);
    }

    private static int IndexOf(long microseconds)
    {
        if (microseconds < BucketsPerDoubling)
            return (int)microseconds;
        var doubling = BitOperations.Log2((ulong)microseconds) - BucketBits;
        return ((doubling + 1) * BucketsPerDoubling) + (int)((microseconds >> doubling) & (BucketsPerDoubling - 1));
    }
}

/// <summary>The counts of a histogram when it was read.</summary>
internal sealed record LatencyCounts(long[] Counts, long TotalMicroseconds)
{
    public long Requests { get; } = Counts.Sum();

    /// <summary>The counts since an earlier reading.</summary>
    public LatencyCounts Since(LatencyCounts earlier) =>
        new([.. Counts.Zip(earlier.Counts, (now, then) => now - then)], TotalMicroseconds - earlier.TotalMicroseconds);

    public TimeSpan? Mean() => Requests == 0 ? null : TimeSpan.FromMicroseconds((double)TotalMicroseconds / Requests);

    public TimeSpan? Percentile(double share)
    {
        var left = (long)Math.Ceiling(Requests * share);
        for (var i = 0; i < Counts.Length; i++)
        {
            left -= Counts[i];
            if (left <= 0 && Requests > 0)
                return LatencyHistogram.LongestOf(i);
        }

        return null;
    }
}
