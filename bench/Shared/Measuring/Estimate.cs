namespace Stout.Experiments.Measuring;

/// <summary>
/// A figure of several runs: the median, the least and the greatest value. With one run there is only <c>Value</c>. Infinity stands for a time that was not
/// reached.
/// </summary>
internal readonly record struct Estimate(double Value, double? Low = null, double? High = null)
{
    public static Estimate Of(IReadOnlyCollection<double> values) =>
        values.Count == 1 ? new Estimate(values.Single()) : new Estimate(Spread.Median(values), values.Min(), values.Max());

    /// <summary>The estimate of the ratios of runs that are paired by round. A disturbance during a round affects both runs of its pair alike.</summary>
    public static Estimate OfRatios(IEnumerable<double> numerators, IEnumerable<double> denominators) =>
        Of([.. numerators.Zip(denominators, static (a, b) => a / b)]);
}
