namespace Stout.Plots;

/// <summary>Equal ratios are equally far apart.</summary>
internal sealed class LogarithmicAxis : Axis
{
    private const int MostTicks = 9;

    private static readonly double[] Fine = [1, 2, 5];
    private static readonly double[] Coarse = [1];

    private readonly double _from;
    private readonly double _to;

    /// <param name="least">Above zero.</param>
    /// <param name="most">Not below <paramref name="least"/>.</param>
    public LogarithmicAxis(double least, double most)
    {
        var candidates = Candidates(least, most, Fine);
        // Each end is the nearest round value outside.
        var ends = candidates.Where(tick => tick <= least).Append(candidates[0]).Max();
        var last = candidates.First(tick => tick >= most && tick > ends);
        (_from, _to) = (Math.Log10(ends), Math.Log10(last));
        var within = candidates.Where(tick => tick >= ends && tick <= last).ToList();
        Ticks = within.Count <= MostTicks ? within : [.. Candidates(least, most, Coarse).Where(tick => tick >= ends && tick <= last)];
    }

    public override IReadOnlyList<double> Ticks { get; }

    public override double Place(double value) => (Math.Log10(value) - _from) / (_to - _from);

    private static List<double> Candidates(double least, double most, double[] factors)
    {
        var first = (int)Math.Floor(Math.Log10(least)) - 1;
        var last = (int)Math.Ceiling(Math.Log10(most)) + 1;
        // Parsed from its digits: powers of ten below one are not exact.
        return [.. Enumerable.Range(first, last - first + 1).SelectMany(power => factors.Select(factor => double.Parse($"{factor}e{power}", System.Globalization.CultureInfo.InvariantCulture)))];
    }
}
