using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// On one store, half of the middle tiers have our law and half another law. Measures whether the lanes of one law starve those of the other.
/// </summary>
internal sealed class Mixed : IExperiment
{
    private static readonly string[] Others = ["paper", "window1"];

    public string Name => "mixed";

    public string Title => "two laws side by side on one store";

    public LawScope Scope => LawScope.Lane;

    public RealStoreUse OnRealStores => RealStoreUse.AtSharesOfCapacity;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var loads = context.Pick<double[]>([6_000, 12_000, 24_000], [12_000]).Select(context.Rate).ToList();
        var others = Others.Where(name => name != context.Law.Name).Select(name => LawCatalogue.Find(name)!);
        var cases = others.SelectMany(other => loads.Select(load => (Other: other, Load: load))).ToList();
        var measured = await context.RepeatAllAsync(cases.Select(one => context.Constant(context.Law, one.Load) with
        {
            OtherLaw = one.Other,
        }));
        var table = new Table(
            new Column("law"), new Column("other"), new Column("rate", "requests/s"), new Column("meanMs", "ms"), new Column("otherMeanMs", "ms"),
            new Column("worseOverBetter"), new Column("overloaded"));
        var rows = new JsonArray();
        var worst = new Estimate(0);
        for (var i = 0; i < cases.Count; i++)
        {
            var mine = measured[i].Estimate(run => HalfOf(run, 0)).Value;
            var theirs = measured[i].Estimate(run => HalfOf(run, 1)).Value;
            var ratio = measured[i].Estimate(run => Math.Max(HalfOf(run, 0), HalfOf(run, 1)) / Math.Min(HalfOf(run, 0), HalfOf(run, 1)));
            worst = ratio.Value > worst.Value ? ratio : worst;
            table.Add(context.Law.Name, cases[i].Other.Name, cases[i].Load, mine, theirs, ratio.Value, measured[i].Overloaded);
            rows.Add(new JsonObject
            {
                ["other"] = cases[i].Other.Name,
                ["rate"] = cases[i].Load,
                ["meanMs"] = Json.Value(mine),
                ["otherMeanMs"] = Json.Value(theirs),
            });
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [Headline.Of("the worse half's latency over the better's, at most", "", worst)],
            Notes = ["Every middle tier is offered the same load and gets it through; what they may differ in is latency."],
        };
        result.Summary["rows"] = rows;
        return result;
    }

    private static double HalfOf(RunFigures run, int remainder)
        => run.TierMeans(run.Scenario.Warmup, run.Scenario.Duration).Where((_, tier) => tier % 2 == remainder).Average();
}
