using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 14: the time until latency recovers from one pause of 2.7 s.</summary>
internal sealed class Figure14 : IExperiment
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(2.7);

    public string Name => "fig14";

    public string Title => "recovery from a hiccup of 2.7 s (at 3k writes/s in the paper)";

    public LawScope Scope => LawScope.Process;

    public RealStoreUse OnRealStores => RealStoreUse.AtSharesOfCapacity;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var at = context.Seconds(60, 40, 12);
        var over = at + Pause;
        var end = at + context.Seconds(120, 70, 18);
        var rounds = (await context.RepeatAllAsync([Hiccups.Scenario(context, context.Law, StoreSpeed.Hiccup(at, Pause)) with { Duration = end }]))[0];
        var before = rounds.Median.WritesOverTime.Mean(at / 2, at);
        var recovered = rounds.Estimate(run => Recovery.Time(run.WritesOverTime, at, over, end, isReal: !context.Settings.OnModel)?.TotalSeconds ?? double.PositiveInfinity);

        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        TimeTable.Add(table, context.Law.Name, rounds, end);
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                Headline.Of("largest latency of the store", "ms", rounds.Estimate(run => run.LongestStoreLatency.TotalMilliseconds), 2_696),
                Headline.Of("largest interval", "ms", rounds.Estimate(run => run.Intervals.Max()), 400, context.Because(Why.NoLongInterval)),
                Headline.Of("time until latency is as before, from the end of the pause", "s", recovered, 32, context.Because(Why.NoLongInterval)),
            ],
            Plots =
            [
                new("Write latency around a hiccup", "time", "meanMs", "run", Logarithmic: true),
                new("Batching interval around a hiccup", "time", "intervalMs", "run"),
            ],
            Notes =
            [
                $"As before: a second's {(context.Settings.OnModel ? "mean" : "median of quarters' means")} at most a tenth above its highest in the half of the run before the pause (mean {before:0.##} ms), and so for five seconds.",
                .. context.Settings.OnModel
                    ? ["\"Slightly over half a minute\", says the paper; 32 s stands for that."]
                    : Hiccups.HowOnRealStores(context.Settings.Live),
            ],
        };
        result.Summary["recoverSeconds"] = Json.Value(recovered.Value);
        return result;
    }
}
