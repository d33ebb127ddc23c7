namespace Stout.Pacing;

/// <summary>What one self-clocking window measured: its bytes, the mean latency and the mean interval of its requests, in milliseconds.</summary>
internal readonly record struct Measurement(double Bytes, double Latency, double Interval)
{
    // One tick of a TimeSpan: an answer that takes no time on a coarse clock must not make performance infinite.
    private const double LeastTime = 1e-4;

    /// <summary>The paper's <c>perf</c>, in bytes per millisecond.</summary>
    public double Performance => PerformanceOf(Bytes, Latency, Interval);

    public static double PerformanceOf(double bytes, double latency, double interval)
        => bytes / Math.Max(latency + interval, LeastTime);
}
