using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// The fixed interval with the least mean write latency under a scenario. Too short intervals overload the store and too long ones make writes wait, so the
/// latency has one minimum. A binary search finds the best interval of a grid; then the middles between that interval and its neighbors are tried.
/// </summary>
internal sealed record BestFixedInterval(double Milliseconds, RunFigures Figures)
{
    private static readonly double[] Grid = [0, 5, 10, 20, 30, 40, 60, 80, 120, 160, 240, 400];
    private static readonly double[] BriefGrid = [0, 10, 20, 40, 80, 160];

    /// <summary>A grid in steps of √2, for stores that may be fast.</summary>
    public static IReadOnlyList<double> FineGrid { get; } = [0, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.7, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 400];

    public static async Task<BestFixedInterval> FindAsync(ExperimentContext context, Scenario scenario)
    {
        var grid = context.Pick(Grid, BriefGrid);
        var low = await LowestOfAsync(context, scenario, grid);
        var best = (await TryAsync(context, scenario, grid[low]))[0];
        if (context.Settings.Effort == Effort.Brief)
            return best;
        double[] between =
        [
            .. low > 0 ? [Middle(grid[low - 1], grid[low])] : Array.Empty<double>(),
            .. low + 1 < grid.Length ? [Middle(grid[low], grid[low + 1])] : Array.Empty<double>(),
        ];
        return Better([best, .. await TryAsync(context, scenario, between)]);
    }

    /// <summary>Finds the index of the grid's interval with the least mean latency. A binary search suffices, since the latency has one minimum.</summary>
    public static async Task<int> LowestOfAsync(ExperimentContext context, Scenario scenario, IReadOnlyList<double> grid)
    {
        var (low, high) = (0, grid.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            var pair = await TryAsync(context, scenario, grid[middle], grid[middle + 1]);
            if (Better(pair) == pair[0])
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }

    // Prefers runs without overload: the mean of an overloaded run would be larger if the run lasted longer.
    public static BestFixedInterval Better(params IReadOnlyCollection<BestFixedInterval> tried) =>
        tried.OrderBy(one => one.Figures.Overloaded).ThenBy(one => one.Figures.MeanMilliseconds).First();

    private static async Task<BestFixedInterval[]> TryAsync(ExperimentContext context, Scenario scenario, params double[] intervals)
    {
        var figures = await context.RunAllAsync(intervals.Select(interval => scenario with { Law = LawCatalogue.Fixed(interval) }));
        return [.. intervals.Zip(figures, static (interval, run) => new BestFixedInterval(interval, run))];
    }

    private static double Middle(double a, double b) => Math.Round((a + b) / 2);
}
