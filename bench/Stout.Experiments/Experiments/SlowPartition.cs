using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One store partition becomes ten times slower. What do those feel that use the others?</summary>
internal sealed class SlowPartition : IExperiment
{
    private const double Load = 6_000;
    private const int Slow = 0;

    public string Name => "slow-partition";

    public string Title => "one of the store's partitions becomes ten times slower";

    public LawScope Scope => LawScope.Lane;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var at = context.Seconds(60, 15);
        var end = context.Seconds(120, 30);
        var from = at + context.Seconds(5, 2);
        var run = await context.RunAsync(context.Constant(context.Law, Load) with
        {
            Duration = end,
            Warmup = at / 2,
            Speed = partition => partition == Slow ? new StoreSpeed(new SpeedChange(at, 0.1)) : StoreSpeed.Usual,
        });
        var table = new Table(new Column("partition"), new Column("beforeMs", "ms"), new Column("afterMs", "ms"), new Column("ratio"));
        for (var i = 0; i < run.WritesByPartition.Count; i++)
        {
            var (before, after) = (run.WritesByPartition[i].Mean(at / 2, at), run.WritesByPartition[i].Mean(from, end));
            table.Add(i, before, after, after / before);
        }

        var worst = Enumerable.Range(0, run.WritesByPartition.Count).Where(i => i != Slow)
            .Max(i => run.WritesByPartition[i].Mean(from, end) / run.WritesByPartition[i].Mean(at / 2, at));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [new("the other partitions' latency over that before, at most", "", worst)],
            Notes = [$"{Load:N0} requests/s; partition {Slow} cannot carry its share any longer. With one law per process its queue slows all lanes down: see --scope process."],
        };
        result.Summary["worstRatio"] = Json.Value(worst);
        return result;
    }
}
