namespace Stout.Experiments.Measuring;

/// <summary>The mean and range of several runs.</summary>
internal static class Spread
{
    /// <summary>The middle one; of an even number the larger of both. Infinity stands for never.</summary>
    public static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted[sorted.Length / 2];
    }
}
