using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace Stout.Experiments.Measuring;

/// <summary>
/// The ratio of one figure to another, from pairs measured close to each other. It is the geometric mean of the pairs' ratios, with its 95 % interval by
/// Student's distribution of their logarithms.
/// </summary>
/// <param name="Ratio">The geometric mean of the pairs' ratios; NaN without pairs.</param>
/// <param name="Low">The lower end of the 95 % interval; null with fewer than two pairs.</param>
/// <param name="High">The upper end of the 95 % interval; null with fewer than two pairs.</param>
/// <param name="Pairs">The number of pairs.</param>
internal readonly record struct PairedRatio(double Ratio, double? Low, double? High, int Pairs)
{
    public static PairedRatio Of(IEnumerable<(double Numerator, double Denominator)> pairs)
    {
        var logarithms = pairs.Select(static pair => Math.Log(pair.Numerator / pair.Denominator)).ToList();
        var mean = logarithms.DefaultIfEmpty(double.NaN).Average();
        if (logarithms.Count < 2)
            return new PairedRatio(Math.Exp(mean), null, null, logarithms.Count);
        var half = StudentT.InvCDF(0, 1, logarithms.Count - 1, 0.975) * Math.Sqrt(logarithms.Variance() / logarithms.Count);
        return new PairedRatio(Math.Exp(mean), Math.Exp(mean - half), Math.Exp(mean + half), logarithms.Count);
    }

    /// <summary>Whether the ratio is at most <paramref name="goal"/>.</summary>
    public Verdict AtMost(double goal) => High <= goal ? Verdict.Met : Low > goal ? Verdict.Missed : Verdict.Undecided;
}

/// <summary>Whether a ratio meets a goal, given the ratio's 95 % interval.</summary>
internal enum Verdict
{
    /// <summary>The whole interval meets the goal.</summary>
    Met,

    /// <summary>The whole interval misses the goal.</summary>
    Missed,

    /// <summary>The interval is too wide to tell.</summary>
    Undecided,
}
