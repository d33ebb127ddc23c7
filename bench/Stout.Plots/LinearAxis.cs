namespace Stout.Plots;

/// <summary>Equal differences are equally far apart. Begins at zero unless something lies below, so that lengths can be compared.</summary>
internal sealed class LinearAxis : Axis
{
    private const int WantedTicks = 6;

    private static readonly int[] Factors = [1, 2, 5, 10];

    private readonly double _from;
    private readonly double _to;

    /// <param name="least">The least value.</param>
    /// <param name="most">The greatest.</param>
    /// <param name="exact">Whether the axis ends with the greatest value instead of the next tick.</param>
    public LinearAxis(double least, double most, bool exact)
    {
        var from = Math.Min(least, 0);
        var to = most > from ? most : from + 1;
        var step = Step((to - from) / WantedTicks);
        _from = Math.Floor(from / step) * step;
        var last = exact ? Math.Floor(to / step) : Math.Ceiling(to / step);
        _to = exact ? to : last * step;
        // Counted, not added up: sums of fractions miss the last one.
        Ticks = [.. Enumerable.Range(0, (int)Math.Round(last - (_from / step)) + 1).Select(i => Math.Round(_from + (i * step), 10))];
    }

    public override IReadOnlyList<double> Ticks { get; }

    public override double Place(double value) => (value - _from) / (_to - _from);

    // The least of 1, 2 and 5 times a power of ten that is not below the raw step.
    private static double Step(double raw)
    {
        var power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        return power * Factors.First(factor => factor * power >= raw * (1 - 1e-9));
    }
}
