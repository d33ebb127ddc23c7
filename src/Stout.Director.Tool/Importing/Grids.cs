using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Finds the steps of files.</summary>
internal static class Grids
{
    /// <summary>The steps that all times are ends of.</summary>
    /// <param name="times">The first and last time of each file, and the smallest difference of two times.</param>
    /// <param name="step">The length of a step in seconds; null takes the smallest difference.</param>
    /// <param name="place">The files, for an error.</param>
    /// <exception cref="ImportException">There is one time only, or the steps are too many.</exception>
    public static Grid Of(IReadOnlyList<(double First, double Last, double Step)> times, double? step, string place)
    {
        var length = step ?? times.Min(time => time.Step);
        if (!double.IsFinite(length))
            throw new ImportException(place, "there is one time only; a load over time is needed.");
        if (!HistoryChecks.IsStep(length))
            throw new ImportException(place, FormattableString.Invariant($"a step of {length} s; it has to be from 1 s to a day."));
        var first = times.Min(time => time.First);
        var steps = (times.Max(time => time.Last) - first) / length + 1;
        return steps <= HistoryChecks.MostSteps
            ? new Grid(first - length, length, (int)Math.Round(steps))
            : throw new ImportException(place, $"more than {HistoryChecks.MostSteps:#,0} steps from the first to the last time. A date is wrong, or the step too short.");
    }
}
