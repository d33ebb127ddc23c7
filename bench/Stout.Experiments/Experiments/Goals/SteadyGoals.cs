using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// What is asked of a law under a constant load: to come near the best that any fixed policy reaches there. On one store partition, for
/// those of the model have nothing to do with each other, and with writes alone.
/// </summary>
internal static class SteadyGoals
{
    private const double MeanOverBest = 1.1;
    private const double MeanOverBestAtTheLimit = 1.25;
    private const double TheLimit = 0.95;
    private const double P99OverBest = 1.5;
    private const double OverWindow = 1.05;
    private const double OverDirect = 1.05;
    private const double LightLoad = 0.05;

    // What nobody notices, in milliseconds.
    private const double Unnoticed = 0.3;
    private const double UnnoticedAtLightLoad = 0.1;

    // The longest that the library's laws choose: what it carries is a store's capacity.
    private const double LongestInterval = 400;

    // Near capacity queues fill and empty over many seconds: who begins with an empty store seems quicker than he comes to be.
    private const double NearCapacity = 0.85;

    // On each side of the best that the first seed has.
    private const int Neighbours = 1;

    private static readonly PacingChoice[] Others = [LawCatalogue.Find("window1")!, LawCatalogue.Find("window2")!, LawCatalogue.Fixed(0)];

    /// <param name="context">Runs the scenarios.</param>
    /// <param name="store">The kind of store, of which one partition is run.</param>
    /// <param name="tiers">Middle tiers.</param>
    /// <param name="share">The load, as a share of what the longest interval carries.</param>
    /// <param name="seeds">Of the law's runs, and of those that it is compared with.</param>
    public static async Task<IEnumerable<Goal>> MeasureAsync(ExperimentContext context, StoreKind store, int tiers, double share, IReadOnlyList<int> seeds)
    {
        // On quick stores too: what a law learns takes it seconds of the clock, however many requests they hold.
        var length = context.Seconds(60, 6);
        var scenario = context.Constant(context.Law, share * store.Bottleneck!.MostWrites(tiers, LongestInterval)) with
        {
            Store = store with { Partitions = 1 },
            Tiers = tiers,
            Documents = 500 * 32,
            WriteShare = 1,
            Scope = LawScope.Lane,
        };
        // What does the same from beginning to end shows it sooner, unless it is the same pauses that both must meet.
        var adaptive = scenario with { Duration = length, Warmup = length / 3 };
        scenario = store.Pauses || share > NearCapacity ? adaptive : scenario with { Duration = length / 3, Warmup = length / 9 };
        var searching = BestAsync(context, scenario, seeds);
        var others = Task.WhenAll(Others.Select(law => MeanAsync(context, scenario with { Law = law }, seeds)));
        var ours = await MeanAsync(context, adaptive, seeds);
        var (best, (window1, window2, direct)) = (await searching, await others switch { var runs => (runs[0], runs[1], runs[2]) });

        var reference = Math.Min(best.MeanMilliseconds, direct.IsSteady ? direct.MeanMilliseconds : double.PositiveInfinity);
        var place = FormattableString.Invariant($"{store.Name}, {tiers} tiers, {100 * share:0} %");
        List<Goal> goals =
        [
            new("mean over the best fixed interval's or no batching's", place, ours.MeanMilliseconds / reference, Math.Max(share > TheLimit ? MeanOverBestAtTheLimit : MeanOverBest, (reference + Unnoticed) / reference)),
            new("99th percentile over the best fixed interval's", place, ours.P99Milliseconds / best.P99Milliseconds, P99OverBest),
            new("mean over the better window's, 1 or 2", place, ours.MeanMilliseconds / Math.Min(window1.MeanMilliseconds, window2.MeanMilliseconds), OverWindow),
        ];
        if (share < TheLimit)
            goals.Add(new("runs whose queue grows", place, ours.Overloaded, best.Overloaded));
        if (share <= LightLoad)
            goals.Add(new("mean at light load over no batching's", place, ours.MeanMilliseconds / direct.MeanMilliseconds, Math.Max(OverDirect, 1 + (UnnoticedAtLightLoad / direct.MeanMilliseconds))));
        return goals;
    }

    // One seed finds it, and all decide between it and its neighbours: the least of many single runs would be the luckiest.
    private static async Task<SeedsMean> BestAsync(ExperimentContext context, Scenario scenario, IReadOnlyList<int> seeds)
    {
        var grid = BestFixedInterval.FineGrid;
        var lowest = await BestFixedInterval.LowestOfAsync(context, scenario, grid);
        var near = grid.Where((_, i) => Math.Abs(i - lowest) <= Neighbours);
        var runs = await Task.WhenAll(near.Select(interval => MeanAsync(context, scenario with { Law = LawCatalogue.Fixed(interval) }, seeds)));
        return runs.OrderBy(mean => mean.Overloaded).ThenBy(mean => mean.MeanMilliseconds).First();
    }

    private static async Task<SeedsMean> MeanAsync(ExperimentContext context, Scenario scenario, IReadOnlyList<int> seeds)
    {
        var runs = await context.RunAllAsync(seeds.Select(seed => scenario with { Seed = seed }));
        // A queue may grow so fast that nothing which was asked while it was measured is answered.
        return runs.Any(run => run.Writes.Count == 0)
            ? new SeedsMean(double.PositiveInfinity, double.PositiveInfinity, runs.Length)
            : new SeedsMean(runs.Average(run => run.MeanMilliseconds), runs.Average(run => run.P99Milliseconds), runs.Count(run => run.Overloaded));
    }

    private sealed record SeedsMean(double MeanMilliseconds, double P99Milliseconds, int Overloaded)
    {
        public bool IsSteady => Overloaded == 0;
    }
}
