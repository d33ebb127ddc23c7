using Stout.Experiments.Laws;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Table 1: the highest rate without a growing queue, at three fixed intervals.</summary>
internal sealed class Table1 : IExperiment
{
    private static readonly (double Interval, string Key, double Paper)[] Rows = [(0, "none", 11_000), (10, "ms10", 13_000), (20, "ms20", 17_000)];

    public string Name => "table1";

    public string Title => "what a service's maximum throughput gains by batching";

    public LawScope Scope => LawScope.Process;

    public bool LawMatters => false;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var capacities = await Task.WhenAll(Rows.Select(row => CapacitySearch.HighestAsync(
            context, load => context.Constant(LawCatalogue.Fixed(row.Interval), load), 6_000, 24_000)));
        var table = new Table(new Column("interval", "ms"), new Column("capacity", "requests/s"), new Column("gain", "%"));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [.. Rows.Zip(capacities, static (row, ours) => new Headline(Label(row.Interval), "requests/s", ours, row.Paper))],
            Notes = ["The model's store is calibrated on these three figures, and on nothing else."],
        };
        for (var i = 0; i < Rows.Length; i++)
        {
            table.Add(Rows[i].Interval, capacities[i], 100 * ((capacities[i] / capacities[0]) - 1));
            result.Summary[Rows[i].Key] = Json.Value(capacities[i]);
        }

        return result;
    }

    private static string Label(double interval) => interval == 0 ? "no batching" : $"batching every {interval} ms";
}
