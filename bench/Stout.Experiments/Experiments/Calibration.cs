using Stout.Experiments.Laws;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>The highest rate that a store sustains with any of three fixed intervals. On a real store the rate soon changes.</summary>
/// <param name="Capacity">The highest sustained rate, in requests/s.</param>
/// <param name="Law">The fixed interval with that rate.</param>
/// <param name="Share">The sustained rate as a share of the rate of answers while the store is flooded.</param>
internal sealed record Calibration(double Capacity, PacingChoice Law, double Share)
{
    // Requests/s: more than any store here sustains.
    private const double Flood = 200_000;

    // The most requests that wait at a time: more than wait during the longest interval. Compared with the documents they are few, since collapsed changes
    // would cost the store no work.
    private const int MostWaiting = 10_000;
    private const int DocumentsForEach = 6;

    private const double Step = 0.95;

    private static readonly PacingChoice[] Laws = [.. new[] { 20.0, 80, 400 }.Select(LawCatalogue.Fixed)];

    /// <summary>The scenario with more load than any store sustains and a bound on waiting requests, so that some requests always wait.</summary>
    public static Scenario Flooded(Scenario scenario) => scenario with { Load = LoadProfile.Constant(Flood), MostWaiting = Math.Min(MostWaiting, scenario.Documents / DocumentsForEach) };

    public static async Task<Calibration> FindAsync(ExperimentContext context)
    {
        var flooded = await context.RunAllAsync(Laws.Select(law => Flooded(context.Constant(law, Flood))));
        var best = flooded.MaxBy(run => run.Achieved)!;
        var (capacity, law) = (best.Achieved, best.Scenario.Law);
        while ((await context.RunAsync(context.Constant(law, capacity))).Overloaded)
            capacity *= Step;
        return new Calibration(capacity, law, capacity / best.Achieved);
    }

    /// <summary>Calibrates again by one run with the known interval and share. That is quicker, and as precise as a changing store allows.</summary>
    public async Task<Calibration> AgainAsync(ExperimentContext context) =>
        this with { Capacity = Share * (await context.RunAsync(Flooded(context.Constant(Law, Flood)))).Achieved };
}

/// <summary>Reports the highest rate that a store sustains.</summary>
internal sealed class CalibrateExperiment : IExperiment
{
    public string Name => "calibrate";

    public string Title => "the highest rate that any fixed interval gets out of the store";

    public LawScope Scope => LawScope.Lane;

    public bool LawMatters => false;

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var found = await Calibration.FindAsync(context);
        var table = new Table(new Column("law"), new Column("capacity", "requests/s"));
        table.Add(found.Law.Name, found.Capacity);
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [new("highest rate that is sustained", "requests/s", found.Capacity)],
            Notes = ["First each of three fixed intervals is flooded with requests, at most 10,000 of which wait at a time. What the best of them answers is then offered, and a twentieth less until waiting requests no longer grow."],
        };
        result.Summary["capacity"] = Json.Value(found.Capacity);
        result.Summary["bestInterval"] = found.Law.Name;
        return result;
    }
}
