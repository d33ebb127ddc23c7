namespace Stout.Pacing;

/// <summary>
/// The result of one window of requests (the paper, section 3.2.1): the window's bytes, and the mean latency and interval of its requests in milliseconds.
/// </summary>
internal readonly record struct Measurement(double Bytes, double Latency, double Interval)
{
    // In milliseconds: one tick of a TimeSpan. With it, an answer within one step of a coarse clock does not give infinite performance.
    private const double LeastTime = 1e-4;

    /// <summary>The store's performance in the window (the paper's <c>perf</c>), in bytes per millisecond.</summary>
    public double Performance => PerformanceOf(Bytes, Latency, Interval);

    public static double PerformanceOf(double bytes, double latency, double interval)
        => bytes / Math.Max(latency + interval, LeastTime);
}
