using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Compares pacing laws with the best fixed interval at each load on each of several store models.</summary>
internal sealed class LawsExperiment : IExperiment
{
    private static readonly StoreKind[] Stores = [StoreKinds.One, StoreKinds.Workers8, StoreKinds.GroupCommit, StoreKinds.PacificA, StoreKinds.RateCap];

    public string Name => "laws";

    public string Title => "pacing laws over the best fixed interval, at every load";

    public LawScope Scope => LawScope.Lane;

    public bool LawMatters => false;

    public ModelledStore? Model => new("several", "each kind in turn");

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public Task<ExperimentResult> RunAsync(ExperimentContext context) => context.Settings.OnModel ? RunOnModelsAsync(context) : LawsOnStore.RunAsync(context);

    private static async Task<ExperimentResult> RunOnModelsAsync(ExperimentContext context)
    {
        var laws = LawCatalogue.Comparators;
        var grid = LawGrid.Of(context.Settings.Grid, context.Settings.Effort);
        var cells = Stores.Take(grid.Stores).SelectMany(store => grid.LoadsOf(store).SelectMany(load => grid.Tiers.Select(tiers => (store, load, tiers)))).ToList();
        var measured = await Task.WhenAll(cells.Select(cell => MeasureAsync(context, grid, laws, Scenario(context, grid, cell.store, cell.load, cell.tiers))));

        var places = Stores.Take(grid.Stores).SelectMany(store => grid.Tiers.SelectMany(tiers => laws.Select(law => (store, tiers, law)))).ToList();
        var changed = await Task.WhenAll(places.Select(place => LawDynamics.MeasureAsync(
            context, Scenario(context, grid, place.store, place.store.Loads[0], place.tiers) with { Law = place.law })));
        var dynamics = places.Zip(changed).ToDictionary(pair => pair.First, pair => pair.Second);

        var table = new Table(
            new Column("law"), new Column("store"), new Column("tiers"), new Column("rate", "requests/s"), new Column("meanMs", "ms"), new Column("p99Ms", "ms"),
            new Column("overBestFixed"), new Column("p99OverBestFixed"), new Column("bestFixedIntervalMs", "ms"), new Column("refused", "%"), new Column("overloaded"),
            new Column("settleSeconds", "s"), new Column("recoverSeconds", "s"), new Column("jain"));
        var rows = new JsonArray();
        for (var i = 0; i < cells.Count; i++)
        {
            var (best, runs) = measured[i];
            for (var law = 0; law < laws.Count; law++)
                AddRow(table, rows, laws[law].Name, cells[i].store.Name, runs[law], best, dynamics[(cells[i].store, cells[i].tiers, laws[law])]);
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [.. laws.Select((law, i) => new Headline(
                $"{law.Name}: latency over the best fixed interval's, geometric mean of what it carries", "", GeometricMean(measured.Where(m => !m.Runs[i].Overloaded).Select(m => m.Runs[i].MeanMilliseconds / m.Best.Figures.MeanMilliseconds))))],
            Plots = [new("Latency over the best fixed interval's", "rate", "overBestFixed", "law", Logarithmic: true) { Panels = ["store", "tiers"] }],
            Notes =
            [
                "The best fixed interval is the better of one per lane and one per process, found by search for each store, load and number of middle tiers; no batching is among them.",
                "How a law bears change is measured once for each store and number of middle tiers, and stands in all its rows: seconds to settle after the load rises from the store's second load to its "
                + "third; seconds to recover from a pause of 2.7 s at its lowest load; Jain's index of the middle tiers' mean latencies 10 to 30 s after half began anew at 400 ms, half at 80. Empty: never, within 30 s.",
            ],
        };
        result.Summary["rows"] = rows;
        return result;
    }

    private static void AddRow(Table table, JsonArray rows, string law, string store, RunFigures run, BestFixedInterval best, LawDynamics dynamics)
    {
        var over = run.MeanMilliseconds / best.Figures.MeanMilliseconds;
        table.Add(
            law, store, run.Scenario.Tiers, run.Offered, run.MeanMilliseconds, run.P99Milliseconds, over,
            run.P99Milliseconds / best.Figures.P99Milliseconds, best.Milliseconds, 100.0 * run.KeysRefused / run.KeysSent, run.Overloaded, dynamics.SettleSeconds, dynamics.RecoverSeconds, dynamics.Jain);
        rows.Add(new JsonObject
        {
            ["law"] = law,
            ["store"] = store,
            ["tiers"] = run.Scenario.Tiers,
            ["rate"] = run.Offered,
            ["meanMs"] = Json.Value(run.MeanMilliseconds),
            ["p99Ms"] = Json.Value(run.P99Milliseconds),
            ["overBestFixed"] = Json.Value(over),
            ["overloaded"] = run.Overloaded,
            ["settleSeconds"] = Json.Value(dynamics.SettleSeconds),
            ["recoverSeconds"] = Json.Value(dynamics.RecoverSeconds),
            ["jain"] = Json.Value(dynamics.Jain),
        });
    }

    private static async Task<(BestFixedInterval Best, RunFigures[] Runs)> MeasureAsync(ExperimentContext context, LawGrid grid, IReadOnlyList<PacingChoice> laws, Scenario scenario)
    {
        var perLane = BestFixedInterval.FindAsync(context, scenario with { Scope = LawScope.Lane });
        var perProcess = BestFixedInterval.FindAsync(context, scenario with { Scope = LawScope.Process });
        var runs = context.RunAllAsync(laws.Select(law => law.Adapts
            ? scenario with { Law = law, Duration = grid.AdaptiveDuration, Warmup = grid.AdaptiveDuration / 2 }
            : scenario with { Law = law }));
        return (BestFixedInterval.Better(await perLane, await perProcess), await runs);
    }

    private static Scenario Scenario(ExperimentContext context, LawGrid grid, StoreKind store, double load, int tiers) =>
        context.Constant(context.Law, load) with
        {
            Store = store,
            Tiers = tiers,
            Documents = 2_000 * 32,
            Duration = grid.Duration,
            Warmup = grid.Duration / 2,
        };

    private static double GeometricMean(IEnumerable<double> ratios) => Math.Exp(ratios.Select(static ratio => Math.Log(ratio)).DefaultIfEmpty(double.NaN).Average());
}
