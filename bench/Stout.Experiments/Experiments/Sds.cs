using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Section 5.6 of the paper: on a store without batching or pipelining, sending at once is best, and the law should find that.</summary>
internal sealed class Sds : IExperiment
{
    private const double Load = 3_000;

    public string Name => "sds";

    public string Title => "a store without batches: the law converges to sending at once";

    public LawScope Scope => LawScope.Process;

    public ModelledStore? Model => new(StoreKinds.NoBatch.Name, StoreKinds.NoBatch.Description);

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var law = context.Law.Name == "paper" ? LawCatalogue.Find("paper-sds")! : context.Law;
        var end = context.Seconds(120, 40);
        PacingChoice[] laws = [law, LawCatalogue.Fixed(0)];
        var runs = await context.RunAllAsync(laws.Select(choice => context.Constant(choice, Load) with
        {
            Store = StoreKinds.NoBatch,
            Duration = end,
            Warmup = end / 2,
        }));
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        for (var i = 0; i < laws.Length; i++)
            TimeTable.Add(table, laws[i].Name, runs[i], end);
        var interval = runs[0].Intervals.TakeLast(runs[0].Intervals.Count / 4).Average();
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("interval in the end", "ms", interval, 1),
                new("latency over that of sending at once", "", runs[0].MeanMilliseconds / runs[1].MeanMilliseconds, 1),
            ],
            Plots = [new("Batching interval over time", "time", "intervalMs", "run", Logarithmic: true)],
            Notes = [$"{StoreKinds.NoBatch.Description}; {Load:N0} requests/s. The paper says that the law converges to sending as rapidly as possible, which is its least interval, 1 ms."],
        };
        result.Summary["intervalMs"] = Json.Value(interval);
        return result;
    }
}
