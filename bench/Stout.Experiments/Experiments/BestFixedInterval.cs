using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// The fixed interval of the least mean write latency under a scenario. Too short ones overload the store, longer ones make writes
/// wait: between them lies one minimum, so the neighbourhood of the best of a coarse grid is looked at more closely.
/// </summary>
internal sealed record BestFixedInterval(double Milliseconds, RunFigures Figures)
{
    private static readonly double[] Grid = [0, 5, 10, 20, 30, 40, 60, 80, 120, 160, 240, 400];
    private static readonly double[] BriefGrid = [0, 10, 20, 40, 80, 160];

    public static async Task<BestFixedInterval> FindAsync(ExperimentContext context, Scenario scenario)
    {
        var grid = context.Pick(Grid, BriefGrid);
        var coarse = await TryAsync(grid);
        var best = Better(coarse);
        if (context.Settings.Effort == Effort.Brief)
            return best;
        var i = Array.IndexOf(grid, best.Milliseconds);
        double[] between =
        [
            .. i > 0 ? [Middle(grid[i - 1], grid[i])] : Array.Empty<double>(),
            .. i + 1 < grid.Length ? [Middle(grid[i], grid[i + 1])] : Array.Empty<double>(),
        ];
        return Better([best, .. await TryAsync(between)]);

        async Task<BestFixedInterval[]> TryAsync(double[] intervals)
        {
            var figures = await context.RunAllAsync(intervals.Select(interval =>
            {
                var law = LawCatalogue.Fixed(interval);
                return scenario with { Law = _ => law };
            }));
            return [.. intervals.Zip(figures, static (interval, run) => new BestFixedInterval(interval, run))];
        }
    }

    // An overloaded run's mean would only be larger had it lasted longer.
    public static BestFixedInterval Better(params IReadOnlyCollection<BestFixedInterval> tried) =>
        tried.OrderBy(one => one.Figures.Overloaded).ThenBy(one => one.Figures.MeanMilliseconds).First();

    private static double Middle(double a, double b) => Math.Round((a + b) / 2);
}
