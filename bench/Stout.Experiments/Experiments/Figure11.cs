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

    public string Title => "the load falls to half, or rises by half (12k requests/s in the paper)";

    public LawScope Scope => LawScope.Process;

    public RealStoreUse OnRealStores => RealStoreUse.AtSharesOfCapacity;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var change = context.Seconds(60, 20, 10);
        var end = change + context.Seconds(120, 30, 15);
        var seeds = Enumerable.Range(context.Settings.Seed, context.Pick(5, 1, context.Settings.Rounds)).ToList();
        var fixedLaw = LawCatalogue.Fixed(20);
        List<Step> steps =
        [
            .. seeds.Select(seed => new Step("down", context.Law, Down, seed)), .. seeds.Select(seed => new Step("up", context.Law, Up, seed)),
            new Step("down, fixed 20 ms", fixedLaw, Down, seeds[0]), new Step("up, fixed 20 ms", fixedLaw, Up, seeds[0]),
        ];
        var runs = await context.RunAllAsync(steps.Select(step => context.Constant(step.Law, context.Rate(Before)) with
        {
            Load = LoadProfile.Step(context.Rate(Before), change, context.Rate(step.After)),
            Duration = end,
            Warmup = change / 2,
            Seed = step.Seed,
        }));
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("meanMs", "ms"), new Column("intervalMs", "ms"));
        for (var i = 0; i < steps.Count; i++)
            TimeTable.Add(table, seeds.Count > 1 ? $"{steps[i].Name}, seed {steps[i].Seed}" : steps[i].Name, runs[i], end);

        var (downs, ups, fixedDown) = (runs[..seeds.Count], runs[seeds.Count..(2 * seeds.Count)], runs[2 * seeds.Count]);
        var (down, up) = (Settled(downs), Settled(ups));
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                Headline.Of($"before, {context.RateName(Before)}", "ms", Estimate.Of([.. downs.Select(run => run.WritesOverTime.Mean(change / 2, change))]), 50, context.Because(Why.Swings)),
                Headline.Of($"after the fall to {context.RateName(Down)}", "ms", Estimate.Of([.. downs.Select(After)]), 5, context.Because(Why.LightLoad)),
                Headline.Of($"after the rise to {context.RateName(Up)}", "ms", Estimate.Of([.. ups.Select(After)]), 80, context.Because(Why.RunsAway)),
                new("fixed 20 ms after the fall", "ms", After(fixedDown), 24, Why.WholeInterval),
                Headline.Of("time to settle after the fall", "s", down),
                Headline.Of("time to settle after the rise", "s", up),
                new($"runs of {seeds.Count} whose queue still grows in the end after the rise", "", ups.Count(run => run.GrowsAfter(change))),
            ],
            Plots = [new("Write latency around the change", "time", "meanMs", "run", Logarithmic: true)],
            Notes =
            [
                context.Settings.OnModel
                    ? "Settled: within 10 % of the mean of the last third after the change, over a second, and so for five seconds. Medians of the seeds; a queue that still grows has not settled. Why the paper's law runs away for some seeds: see runaway."
                    : "Settled: a second's median of quarters' means within 25 % of that of the last third after the change, and so for five seconds (the disk pauses by itself). Medians of the rounds.",
            ],
        };
        result.Summary["settleSecondsDown"] = Json.Value(down.Value);
        result.Summary["settleSecondsUp"] = Json.Value(up.Value);
        return result;

        Estimate Settled(IEnumerable<RunFigures> several) => Estimate.Of([.. several.Select(run =>
            run.GrowsAfter(change) ? double.PositiveInfinity : Settling.Time(run.WritesOverTime, change, end, isReal: !context.Settings.OnModel)?.TotalSeconds ?? double.PositiveInfinity)]);

        double After(RunFigures run) => Settling.Rest(run.WritesOverTime, change, end);
    }

    private sealed record Step(string Name, PacingChoice Law, double After, int Seed);
}
