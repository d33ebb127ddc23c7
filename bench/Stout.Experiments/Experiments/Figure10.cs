using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 10: how much slower an adaptive law is than the best fixed interval, which is not known in advance.</summary>
internal sealed class Figure10 : IExperiment
{
    private static readonly (double Rate, double Adaptive, double BestFixed)[] Paper = [(24_000, 94, 80), (26_400, 100, 75)];
    private static readonly double[] Loads = [6_000, 12_000, 18_000, 24_000, 26_400, 30_000, 36_000, 41_000];

    public string Name => "fig10";

    public string Title => "overhead of adapting over the best fixed interval";

    public LawScope Scope => LawScope.Process;

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public Task<ExperimentResult> RunAsync(ExperimentContext context) => context.Settings.OnModel ? RunOnModelAsync(context) : OverheadOnStore.RunAsync(context);

    private static async Task<ExperimentResult> RunOnModelAsync(ExperimentContext context)
    {
        var loads = context.Pick(Loads, [6_000, 24_000]);
        var adaptive = context.RepeatAllAsync(loads.Select(load => context.Constant(context.Law, load)));
        var best = await Task.WhenAll(loads.Select(load => BestOfEachSeedAsync(context, load)));
        var runs = await adaptive;
        var table = new Table(
            new Column("rate", "requests/s"), new Column("bestFixedIntervalMs", "ms"), new Column("bestFixedMs", "ms"),
            new Column("adaptiveMs", "ms"), new Column("overhead"), new Column("adaptiveP99Ms", "ms"), new Column("overloaded"));
        var rows = new JsonArray();
        var headlines = new List<Headline>();
        for (var i = 0; i < loads.Length; i++)
        {
            var ms = Estimate.Of(runs[i].Means);
            var fixedMs = Estimate.Of([.. best[i].Select(one => one.Figures.MeanMilliseconds)]);
            var interval = Spread.Median(best[i].Select(one => one.Milliseconds));
            var overhead = Estimate.Of([.. runs[i].Means.Zip(best[i], static (mean, one) => (mean / one.Figures.MeanMilliseconds) - 1)]);
            table.Add(loads[i], interval, fixedMs.Value, ms.Value, overhead.Value, runs[i].Median.P99Milliseconds, runs[i].Overloaded);
            rows.Add(new JsonObject
            {
                ["rate"] = loads[i],
                ["bestFixedIntervalMs"] = interval,
                ["bestFixedMs"] = Json.Value(fixedMs.Value),
                ["adaptiveMs"] = Json.Value(ms.Value),
                ["overhead"] = Json.Value(overhead.Value),
            });
            if (Array.Find(Paper, paper => paper.Rate == loads[i]) is { Rate: > 0 } paper)
            {
                headlines.Add(Headline.Of($"adaptive at {loads[i]} requests/s", "ms", ms, paper.Adaptive, context.Because(Why.Swings)));
                headlines.Add(Headline.Of($"best fixed interval at {loads[i]} requests/s", "ms", fixedMs, paper.BestFixed, Why.BestIsCheaper));
                headlines.Add(Headline.Of($"overhead at {loads[i]} requests/s", "", overhead, (paper.Adaptive / paper.BestFixed) - 1, context.Because(Why.Swings)));
            }
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Notes = ["Overhead is a share: 0.18 is 18 % above the best fixed interval, which is found by search for each load and seed (one for a whole process, as in the paper). Of several seeds: medians."],
        };
        result.Summary["rows"] = rows;
        return result;
    }

    private static Task<BestFixedInterval[]> BestOfEachSeedAsync(ExperimentContext context, double load)
        => Task.WhenAll(Enumerable.Range(0, context.Settings.Rounds).Select(round => BestFixedInterval.FindAsync(
            context, context.Constant(LawCatalogue.Fixed(0), load).InRound(round))));
}
