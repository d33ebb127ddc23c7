using System.Globalization;

namespace Stout.Plots;

/// <summary>Where a value stands on an axis, and what is written beside it.</summary>
internal abstract class Axis
{
    /// <summary>The values that are written beside the axis, all of them on it.</summary>
    public abstract IReadOnlyList<double> Ticks { get; }

    /// <summary>How far along the axis a value stands: 0 at its beginning, 1 at its end.</summary>
    public abstract double Place(double value);

    /// <param name="values">What the axis must hold.</param>
    /// <param name="logarithmic">Whether equal ratios are equally far apart; where no value is above zero there are none.</param>
    /// <param name="exact">Whether a linear axis ends with the greatest value: time that nobody measured is not worth the room.</param>
    public static Axis Of(IEnumerable<double> values, bool logarithmic, bool exact = false)
    {
        var finite = values.Where(double.IsFinite).ToList();
        var positive = finite.Where(value => value > 0).ToList();
        return logarithmic && positive.Count > 0
            ? new LogarithmicAxis(positive.Min(), positive.Max())
            : new LinearAxis(finite.DefaultIfEmpty(0).Min(), finite.DefaultIfEmpty(1).Max(), exact);
    }

    public static string Label(double tick) => tick.ToString("#,0.######", CultureInfo.InvariantCulture);
}
