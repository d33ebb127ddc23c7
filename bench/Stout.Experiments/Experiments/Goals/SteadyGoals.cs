using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>What is asked of a law under a constant load: to come near the best that any fixed policy reaches there.</summary>
internal static class SteadyGoals
{
    private const double MeanOverBest = 1.1;
    private const double P99OverBest = 1.5;
    private const double OverWindow = 1.05;
    private const double OverDirect = 1.05;

    // What nobody notices, in milliseconds.
    private const double Unnoticed = 0.3;
    private const double UnnoticedAtLightLoad = 0.1;

    private static readonly PacingChoice[] Windows = [LawCatalogue.Find("window1")!, LawCatalogue.Find("window2")!];

    public static async Task<IEnumerable<Goal>> MeasureAsync(ExperimentContext context, LawGrid grid, StoreKind store, int tiers, double load, IReadOnlyList<int> seeds)
    {
        var scenario = context.Constant(context.Law, load) with
        {
            Store = store,
            Tiers = tiers,
            Documents = 2_000 * 32,
            Scope = LawScope.Lane,
            Duration = grid.Duration,
            Warmup = grid.Duration / 2,
        };
        var adaptive = scenario with { Duration = grid.AdaptiveDuration, Warmup = grid.AdaptiveDuration / 2 };
        var searching = BestFixedInterval.FindAsync(context, scenario);
        var others = context.RunAllAsync(Windows.Append(LawCatalogue.Fixed(0)).Select(law => scenario with { Law = law }));
        var ours = await context.RunAllAsync(seeds.Select(seed => adaptive with { Seed = seed }));
        var (window1, window2, direct) = (await others) switch { var runs => (runs[0], runs[1], runs[2]) };
        var best = (await searching).Figures;

        var mean = ours.Average(run => run.MeanMilliseconds);
        var reference = direct.Overloaded ? best.MeanMilliseconds : Math.Min(best.MeanMilliseconds, direct.MeanMilliseconds);
        var place = FormattableString.Invariant($"{store.Name}, {tiers} tiers, {load:N0}/s");
        List<Goal> goals =
        [
            new("mean over the best fixed interval's or no batching's", place, mean / reference, Math.Max(MeanOverBest, (reference + Unnoticed) / reference)),
            new("99th percentile over the best fixed interval's", place, ours.Average(run => run.P99Milliseconds) / best.P99Milliseconds, P99OverBest),
            new("mean over the better window's, 1 or 2", place, mean / Math.Min(window1.MeanMilliseconds, window2.MeanMilliseconds), OverWindow),
            new("runs whose queue grows", place, ours.Count(run => run.Overloaded), best.Overloaded ? seeds.Count : 0),
        ];
        if (load == store.Loads[0])
            goals.Add(new("mean at light load over no batching's", place, mean / direct.MeanMilliseconds, Math.Max(OverDirect, 1 + (UnnoticedAtLightLoad / direct.MeanMilliseconds))));
        return goals;
    }
}
