namespace Authors.Reporting;

/// <summary>The summary of many latencies, in milliseconds.</summary>
internal readonly record struct Latencies(double Mean, double Median, double Percentile99, double Max)
{
    public static Latencies Of(IEnumerable<double> milliseconds)
    {
        var sorted = milliseconds.Order().ToArray();
        return sorted.Length == 0 ? default : new Latencies(sorted.Average(), At(sorted, 0.5), At(sorted, 0.99), sorted[^1]);
    }

    /// <summary>The percentile by the nearest rank: the smallest value that at least this share of the values does not exceed.</summary>
    private static double At(double[] sorted, double share) => sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1)];
}
