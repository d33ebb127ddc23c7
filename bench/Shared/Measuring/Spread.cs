namespace Stout.Experiments.Measuring;

/// <summary>The median of several runs.</summary>
internal static class Spread
{
    /// <summary>The middle value; of an even number of values, the larger of the two in the middle. Infinity stands for a time that was not reached.</summary>
    public static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return sorted[sorted.Length / 2];
    }
}
