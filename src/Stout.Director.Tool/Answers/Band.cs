namespace Stout.Director.Tool.Answers;

/// <summary>A figure, and its range over seeds and models.</summary>
/// <param name="Best">The figure of the best model and the first seed.</param>
/// <param name="Low">The least figure.</param>
/// <param name="High">The highest figure.</param>
internal readonly record struct Band(double Best, double Low, double High)
{
    public static Band Of(IReadOnlyList<double> values) => new(values[0], values.Min(), values.Max());

    /// <summary>The figure and its range in words.</summary>
    public string Words(Func<double, string> number)
    {
        var (best, low, high) = (number(Best), number(Low), number(High));
        return low == high ? best : $"{best} ({low} to {high})";
    }
}
