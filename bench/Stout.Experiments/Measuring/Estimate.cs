namespace Stout.Experiments.Measuring;

/// <summary>A figure of several runs: the median, the least and the greatest value. One run has a value alone. Infinity stands for never.</summary>
internal readonly record struct Estimate(double Value, double? Low = null, double? High = null)
{
    public static Estimate Of(IReadOnlyCollection<double> values) =>
        values.Count == 1 ? new Estimate(values.Single()) : new Estimate(Spread.Median(values), values.Min(), values.Max());

    /// <summary>The estimate of the ratios of paired runs. A disturbance of a round affects both of its runs alike.</summary>
    public static Estimate OfRatios(IEnumerable<double> numerators, IEnumerable<double> denominators) =>
        Of([.. numerators.Zip(denominators, static (a, b) => a / b)]);
}
