using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 11: the load falls to half, or rises by half.</summary>
internal sealed class Figure11 : IExperiment
{
    private const double Before = 12_000;

    public string Name => "fig11";

    public string Title => "12k requests/s become 6k, or 18k";

    public LawScope Scope => LawScope.Process;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var change = context.Seconds(60, 20);
        var end = change + context.Seconds(120, 30);
        (string Name, PacingChoice Law, double After)[] steps =
        [
            ("down", context.Law, 6_000), ("up", context.Law, 18_000),
            ("down, fixed 20 ms", LawCatalogue.Fixed(20), 6_000), ("up, fixed 20 ms", LawCatalogue.Fixed(20), 18_000),
        ];
        var runs = await context.RunAllAsync(steps.Select(step => context.Constant(step.Law, Before) with
        {
            Load = LoadProfile.Step(Before, change, step.After),
            Duration = end,
            Warmup = change / 2,
        }));
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        for (var i = 0; i < steps.Length; i++)
            TimeTable.Add(table, steps[i].Name, runs[i], end);

        var (down, up) = (Settling.Time(runs[0].WritesOverTime, change, end), Settling.Time(runs[1].WritesOverTime, change, end));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("before, 12k requests/s", "ms", runs[0].WritesOverTime.Mean(change / 2, change), 50),
                new("after the fall to 6k", "ms", After(runs[0]), 5),
                new("after the rise to 18k", "ms", After(runs[1]), 80),
                new("fixed 20 ms after the fall", "ms", After(runs[2]), 24),
                new("time to settle after the fall", "s", down?.TotalSeconds),
                new("time to settle after the rise", "s", up?.TotalSeconds),
            ],
            Plots = [new("Write latency around the change", "time", "meanMs", "run", Logarithmic: true)],
            Notes = ["Settled: within 10 % of the mean of the last third after the change, over a second, and so for five seconds."],
        };
        result.Summary["settleSecondsDown"] = Json.Value(down?.TotalSeconds);
        result.Summary["settleSecondsUp"] = Json.Value(up?.TotalSeconds);
        return result;

        double After(RunFigures run) => run.WritesOverTime.Mean(end - ((end - change) / 3), end);
    }
}
