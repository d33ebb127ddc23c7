using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// What is asked of a law under a constant load: to come near the best that any fixed policy reaches there. On one store partition, for
/// those of the model have nothing to do with each other, and with writes alone.
/// </summary>
/// <param name="context">Runs the scenarios.</param>
/// <param name="store">The kind of store, of which one partition is run.</param>
/// <param name="tiers">Middle tiers.</param>
/// <param name="share">The load, as a share of what the longest interval carries.</param>
internal sealed class SteadyGoals(ExperimentContext context, StoreKind store, int tiers, double share)
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

    /// <summary>
    /// Measures them with some seeds; and with all where the 95 % interval of one has its limit in it, so that some can't tell on which side it is. Near
    /// capacity single runs differ by a quarter.
    /// </summary>
    /// <param name="seeds">Of the law's runs, and of those that it is compared with.</param>
    /// <param name="allSeeds">The same and some more.</param>
    public async Task<IEnumerable<Goal>> MeasureAsync(IReadOnlyList<int> seeds, IReadOnlyList<int> allSeeds)
    {
        var goals = await MeasureAsync(seeds);
        return goals.Any(goal => goal.IsClose) && allSeeds.Count > seeds.Count ? await MeasureAsync(allSeeds) : goals;
    }

    private async Task<IReadOnlyList<Goal>> MeasureAsync(IReadOnlyList<int> seeds)
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
        var searching = NearBestAsync(scenario, seeds);
        var others = Task.WhenAll(Others.Select(law => RunAsync(scenario with { Law = law }, seeds)));
        var ours = await RunAsync(adaptive, seeds);
        var (near, (window1, window2, direct)) = (await searching, await others switch { var runs => (runs[0], runs[1], runs[2]) });

        // By the mean alone: near capacity one run in twenty with a queue that seems to grow would have the second best stand for the best.
        static SeedsRuns Best(params IEnumerable<SeedsRuns> all) => all.MinBy(runs => runs.MeanMilliseconds)!;
        var best = Best(near);
        var reference = Best(best, direct);
        var place = FormattableString.Invariant($"{store.Name}, {tiers} tiers, {100 * share:0} %");
        List<Goal> goals =
        [
            Over("mean over the best fixed interval's or no batching's", reference, static runs => runs.Means, Math.Max(share > TheLimit ? MeanOverBestAtTheLimit : MeanOverBest, 1 + (Unnoticed / reference.MeanMilliseconds))),
            Over("99th percentile over the best fixed interval's", best, static runs => runs.P99s, P99OverBest),
            Over("mean over the better window's, 1 or 2", Best(window1, window2), static runs => runs.Means, OverWindow),
        ];
        if (share < TheLimit)
            goals.Add(new("runs whose queue grows", place, ours.Overloaded, near.Min(runs => runs.Overloaded)));
        if (share <= LightLoad)
            goals.Add(Over("mean at light load over no batching's", direct, static runs => runs.Means, Math.Max(OverDirect, 1 + (UnnoticedAtLightLoad / direct.MeanMilliseconds))));
        return goals;

        Goal Over(string name, SeedsRuns other, Func<SeedsRuns, IReadOnlyList<double>> figures, double limit)
            => new(name, place, figures(ours).Average() / figures(other).Average(), limit, Pairs: PairedRatio.Of(figures(ours).Zip(figures(other))));
    }

    // One seed finds it, and all decide between it and its neighbours: the least of many single runs would be the luckiest.
    private async Task<IReadOnlyList<SeedsRuns>> NearBestAsync(Scenario scenario, IReadOnlyList<int> seeds)
    {
        var grid = BestFixedInterval.FineGrid;
        var lowest = await BestFixedInterval.LowestOfAsync(context, scenario, grid);
        var near = grid.Where((_, i) => Math.Abs(i - lowest) <= Neighbours);
        return await Task.WhenAll(near.Select(interval => RunAsync(scenario with { Law = LawCatalogue.Fixed(interval) }, seeds)));
    }

    private async Task<SeedsRuns> RunAsync(Scenario scenario, IReadOnlyList<int> seeds)
    {
        var runs = await context.RunAllAsync(seeds.Select(seed => scenario with { Seed = seed }));
        return new SeedsRuns([.. runs.Select(run => Figure(run, run.MeanMilliseconds))], [.. runs.Select(run => Figure(run, run.P99Milliseconds))], runs.Count(run => run.Overloaded));

        // A queue may grow so fast that nothing which was asked while it was measured is answered.
        static double Figure(RunFigures run, double milliseconds) => run.Writes.Count == 0 ? double.PositiveInfinity : milliseconds;
    }

    private sealed record SeedsRuns(IReadOnlyList<double> Means, IReadOnlyList<double> P99s, int Overloaded)
    {
        public double MeanMilliseconds { get; } = Means.Average();
    }
}
