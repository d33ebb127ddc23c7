using System.Globalization;
using ScottPlot;
using ScottPlot.TickGenerators;

namespace Stout.Experiments.Output.Plots;

/// <summary>Maps values to places on an axis. ScottPlot's axes are linear, so a logarithmic one holds the logarithms.</summary>
/// <param name="Logarithmic">Whether equal ratios are equally far apart.</param>
/// <param name="From">The beginning of the axis, as <see cref="Place"/> gives it.</param>
/// <param name="To">The end of the axis, as <see cref="Place"/> gives it.</param>
internal sealed record Scale(bool Logarithmic, double From, double To)
{
    // An axis of at most this many decades has labels at 1, 2 and 5 in each. A longer one has labels at powers of ten alone.
    private const double MostFineDecades = 2.5;

    private static readonly double[] Fine = [1, 2, 5];
    private static readonly double[] Coarse = [1];

    /// <param name="logarithmic">Whether equal ratios are to be equally far apart; where no value is above zero the axis is linear.</param>
    /// <param name="values">The axis' values. A linear axis begins at zero unless a value lies below, so that lengths can be compared.</param>
    public static Scale Of(bool logarithmic, IEnumerable<double> values)
    {
        var finite = values.Where(value => double.IsFinite(value) && (!logarithmic || value > 0)).ToList();
        if (finite.Count == 0)
            return new Scale(false, 0, 1);
        var (from, to) = logarithmic ? (Math.Log10(finite.Min()), Math.Log10(finite.Max())) : (Math.Min(finite.Min(), 0), finite.Max());
        // Room beyond the outermost marks.
        var margin = to > from ? 0.04 * (to - from) : 0.5;
        return new Scale(logarithmic, logarithmic || from < 0 ? from - margin : from, to + margin);
    }

    /// <summary>The place of a value on the axis. On a logarithmic axis, a value that is not above zero is at the beginning.</summary>
    public double Place(double value) => !Logarithmic ? value : value > 0 ? Math.Log10(value) : From;

    /// <summary>The labels beside the axis.</summary>
    public ITickGenerator Ticks() => Logarithmic
        ? new NumericManual([.. RoundValues.Select(Math.Log10)], [.. RoundValues.Select(Label)])
        : new NumericAutomatic { LabelFormatter = Label };

    /// <summary>The values that a logarithmic axis names.</summary>
    public IReadOnlyList<double> RoundValues
    {
        get
        {
            var factors = To - From <= MostFineDecades ? Fine : Coarse;
            var (first, last) = ((int)Math.Floor(From), (int)Math.Ceiling(To));
            return [.. Enumerable.Range(first, last - first + 1).SelectMany(power => factors.Select(factor => factor * Math.Pow(10, power))).Where(tick => Math.Log10(tick) >= From && Math.Log10(tick) <= To)];
        }
    }

    private static string Label(double tick) => tick.ToString("#,0.######", CultureInfo.InvariantCulture);
}
