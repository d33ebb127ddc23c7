using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>One run of the paper's workload, for the development of a law. Load, number of middle tiers and length are options of the command line.</summary>
internal sealed class Point : IExperiment
{
    public string Name => "point";

    public string Title => "one law at one load";

    public LawScope Scope => LawScope.Lane;

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var (rate, tiers, seconds) = context.Settings.Point;
        var scenario = context.Constant(context.Law, rate);
        if (context.Settings.OnModel)
            scenario = scenario with { Tiers = tiers, Duration = TimeSpan.FromSeconds(seconds), Warmup = TimeSpan.FromSeconds(seconds) / 3 };
        var run = await context.RunAsync(scenario);
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        TimeTable.Add(table, context.Law.Name, run, scenario.Duration);
        Headline[] headlines =
        [
            new("mean write latency", "ms", run.MeanMilliseconds),
            new("99 % of the writes within", "ms", run.P99Milliseconds),
            new("mean read latency", "ms", run.Reads.MeanMilliseconds),
            new("interval, mean of the last second", "ms", run.Intervals.TakeLast(4).Average()),
            new("documents in a store request", "", run.BatchSize),
            new("writes collapsed", "%", 100 * run.CollapsedShare),
            new("writes refused", "%", 100.0 * run.KeysRefused / run.KeysSent),
            new("offered", "requests/s", run.Offered),
            new("achieved", "requests/s", run.Achieved),
            new("Little's law: number in the system over rate × time in it", "", run.LittleRatio),
            new("waiting requests still grow (1) or not (0)", "", run.Overloaded ? 1 : 0),
        ];
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Plots = [new("Write latency", "time", "meanMs", "run", Logarithmic: true), new("Batching interval", "time", "intervalMs", "run", Logarithmic: true)],
        };
        result.Summary["rate"] = rate;
        result.Summary["meanMs"] = Json.Value(run.MeanMilliseconds);
        result.Summary["p99Ms"] = Json.Value(run.P99Milliseconds);
        result.Summary["overloaded"] = run.Overloaded;
        return result;
    }
}
