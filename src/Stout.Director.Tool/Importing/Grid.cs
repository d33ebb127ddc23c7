using System.Globalization;

namespace Stout.Director.Tool.Importing;

/// <summary>The steps of an import. Times are Unix seconds; a sample belongs to the step that ends at its time.</summary>
/// <param name="Start">The beginning of the first step.</param>
/// <param name="Step">The length of a step in seconds.</param>
/// <param name="Steps">The number of steps.</param>
internal sealed record Grid(double Start, double Step, int Steps)
{
    // Times of one source may differ from each other by rounding.
    private const double Tolerance = 0.01;

    /// <summary>The index of the step that ends at a time, or -1.</summary>
    public int EndingAt(double time) => StartingAt(time - Step);

    /// <summary>The index of the step that begins at a time, or -1.</summary>
    public int StartingAt(double time)
    {
        var position = (time - Start) / Step;
        var index = Math.Round(position);
        return Math.Abs(position - index) <= Tolerance && index >= 0 && index < Steps ? (int)index : -1;
    }

    /// <summary>The error for a time without a step.</summary>
    public ImportException NoStep(double time, string place) => new(
        place, FormattableString.Invariant($"{Words(time)} is not a whole number of steps of {Step} s after the first time, or comes after the last. All series need the same steps: give --step."));

    public static string Words(double time) => DateTimeOffset.FromUnixTimeMilliseconds((long)(time * 1000)).ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
