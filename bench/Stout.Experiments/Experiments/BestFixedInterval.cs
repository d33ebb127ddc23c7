using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// The fixed interval of the least mean write latency under a scenario. Too short ones overload the store, longer ones make writes
/// wait: between them lies one minimum, so a grid is halved until its best is left, whose neighbourhood is looked at more closely.
/// </summary>
internal sealed record BestFixedInterval(double Milliseconds, RunFigures Figures)
{
    private static readonly double[] Grid = [0, 5, 10, 20, 30, 40, 60, 80, 120, 160, 240, 400];
    private static readonly double[] BriefGrid = [0, 10, 20, 40, 80, 160];

    public static async Task<BestFixedInterval> FindAsync(ExperimentContext context, Scenario scenario)
    {
        var grid = context.Pick(Grid, BriefGrid);
        var (low, high) = (0, grid.Length - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            var pair = await TryAsync(grid[middle], grid[middle + 1]);
            if (Better(pair) == pair[0])
                high = middle;
            else
                low = middle + 1;
        }

        var best = (await TryAsync(grid[low]))[0];
        if (context.Settings.Effort == Effort.Brief)
            return best;
        double[] between =
        [
            .. low > 0 ? [Middle(grid[low - 1], grid[low])] : Array.Empty<double>(),
            .. low + 1 < grid.Length ? [Middle(grid[low], grid[low + 1])] : Array.Empty<double>(),
        ];
        return Better([best, .. await TryAsync(between)]);

        async Task<BestFixedInterval[]> TryAsync(params double[] intervals)
        {
            var figures = await context.RunAllAsync(intervals.Select(interval => scenario with { Law = LawCatalogue.Fixed(interval) }));
            return [.. intervals.Zip(figures, static (interval, run) => new BestFixedInterval(interval, run))];
        }
    }

    // An overloaded run's mean would only be larger had it lasted longer.
    public static BestFixedInterval Better(params IReadOnlyCollection<BestFixedInterval> tried) =>
        tried.OrderBy(one => one.Figures.Overloaded).ThenBy(one => one.Figures.MeanMilliseconds).First();

    private static double Middle(double a, double b) => Math.Round((a + b) / 2);
}
