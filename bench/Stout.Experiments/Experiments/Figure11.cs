using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 11: the load falls to half, or rises by half.</summary>
internal sealed class Figure11 : IExperiment
{
    private const double Before = 12_000;
    private const double Down = 6_000;
    private const double Up = 18_000;

    public string Name => "fig11";

    public string Title => "12k requests/s become 6k, or 18k";

    public LawScope Scope => LawScope.Process;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var change = context.Seconds(60, 20);
        var end = change + context.Seconds(120, 30);
        var seeds = Enumerable.Range(context.Settings.Seed, context.Pick(5, 1)).ToList();
        var fixedLaw = LawCatalogue.Fixed(20);
        List<Step> steps =
        [
            .. seeds.Select(seed => new Step("down", context.Law, Down, seed)), .. seeds.Select(seed => new Step("up", context.Law, Up, seed)),
            new Step("down, fixed 20 ms", fixedLaw, Down, seeds[0]), new Step("up, fixed 20 ms", fixedLaw, Up, seeds[0]),
        ];
        var runs = await context.RunAllAsync(steps.Select(step => context.Constant(step.Law, Before) with
        {
            Load = LoadProfile.Step(Before, change, step.After),
            Duration = end,
            Warmup = change / 2,
            Seed = step.Seed,
        }));
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        for (var i = 0; i < steps.Count; i++)
            TimeTable.Add(table, seeds.Count > 1 ? $"{steps[i].Name}, seed {steps[i].Seed}" : steps[i].Name, runs[i], end);

        var (downs, ups, fixedDown) = (runs[..seeds.Count], runs[seeds.Count..(2 * seeds.Count)], runs[2 * seeds.Count]);
        var (down, up) = (MedianSettle(downs), MedianSettle(ups));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("before, 12k requests/s", "ms", Spread.Median(downs.Select(run => run.WritesOverTime.Mean(change / 2, change))), 50, context.Because(Why.Swings)),
                new("after the fall to 6k", "ms", Spread.Median(downs.Select(After)), 5, context.Because(Why.LightLoad)),
                new("after the rise to 18k", "ms", Spread.Median(ups.Select(After)), 80, context.Because(Why.RunsAway)),
                new("fixed 20 ms after the fall", "ms", After(fixedDown), 24, Why.WholeInterval),
                new("time to settle after the fall", "s", down),
                new("time to settle after the rise", "s", up),
                new($"runs of {seeds.Count} whose queue still grows in the end after the rise", "", ups.Count(run => run.GrowsAfter(change))),
            ],
            Plots = [new("Write latency around the change", "time", "meanMs", "run", Logarithmic: true)],
            Notes = ["Settled: within 10 % of the mean of the last third after the change, over a second, and so for five seconds. Medians of the seeds; a queue that still grows has not settled. Why the paper's law runs away for some seeds: see runaway."],
        };
        result.Summary["settleSecondsDown"] = Json.Value(down);
        result.Summary["settleSecondsUp"] = Json.Value(up);
        return result;

        double? MedianSettle(IEnumerable<RunFigures> several)
        {
            var median = Spread.Median(several.Select(run =>
                run.GrowsAfter(change) ? double.PositiveInfinity : Settling.Time(run.WritesOverTime, change, end)?.TotalSeconds ?? double.PositiveInfinity));
            return double.IsFinite(median) ? median : null;
        }

        double After(RunFigures run) => run.WritesOverTime.Mean(end - ((end - change) / 3), end);
    }

    private sealed record Step(string Name, PacingChoice Law, double After, int Seed);
}
