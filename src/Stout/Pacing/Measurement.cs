namespace Stout.Pacing;

/// <summary>The result of one self-clocking window: its bytes, and the mean latency and interval of its requests in milliseconds.</summary>
internal readonly record struct Measurement(double Bytes, double Latency, double Interval)
{
    // One tick of a TimeSpan, so that an answer within one step of a coarse clock does not give infinite performance.
    private const double LeastTime = 1e-4;

    /// <summary>The paper's <c>perf</c>, in bytes per millisecond.</summary>
    public double Performance => PerformanceOf(Bytes, Latency, Interval);

    public static double PerformanceOf(double bytes, double latency, double interval)
        => bytes / Math.Max(latency + interval, LeastTime);
}
