using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One store partition becomes ten times slower. Measures how the latency at the other partitions changes.</summary>
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
        var rounds = (await context.RepeatAllAsync([context.Constant(context.Law, Load) with
        {
            Duration = end,
            Warmup = at / 2,
            Speed = partition => partition == Slow ? new StoreSpeed(new SpeedChange(at, 0.1)) : StoreSpeed.Usual,
        }]))[0];
        var table = new Table(new Column("partition"), new Column("beforeMs", "ms"), new Column("afterMs", "ms"), new Column("ratio"));
        for (var i = 0; i < rounds.Median.WritesByPartition.Count; i++)
        {
            var (before, after) = (Before(rounds.Median, i), After(rounds.Median, i));
            table.Add(i, before, after, after / before);
        }

        var worst = rounds.Estimate(run => Enumerable.Range(0, run.WritesByPartition.Count).Where(i => i != Slow).Max(i => After(run, i) / Before(run, i)));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [Headline.Of("the other partitions' latency over that before, at most", "", worst)],
            Notes = [$"{Load:N0} requests/s; partition {Slow} cannot carry its share any longer. With one law per process its queue slows all lanes down: see --scope process."],
        };
        result.Summary["worstRatio"] = Json.Value(worst.Value);
        return result;

        double Before(RunFigures run, int partition) => run.WritesByPartition[partition].Mean(at / 2, at);
        double After(RunFigures run, int partition) => run.WritesByPartition[partition].Mean(from, end);
    }
}
