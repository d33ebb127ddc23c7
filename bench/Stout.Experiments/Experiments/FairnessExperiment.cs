using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Section 5.5 of the paper: half of the middle tiers are forced to a long interval, half to a short one. Measures how soon and how nearly both halves come to
/// the same latency.
/// </summary>
internal sealed class FairnessExperiment : IExperiment
{
    private const double Load = 12_000;
    private const double Long = 400;
    private const double Short = 80;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(5);

    public string Name => "fairness";

    public string Title => "half the middle tiers forced to 400 ms, half to 80 ms";

    public LawScope Scope => LawScope.Process;

    public RealStoreUse OnRealStores => RealStoreUse.AtSharesOfCapacity;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var forced = context.Seconds(90, 15, 8);
        var from = forced + context.Seconds(30, 15, 5);
        var end = forced + context.Seconds(120, 30, 20);
        var scenario = context.Constant(context.Law, context.Rate(Load)) with
        {
            Duration = end,
            Warmup = forced,
            Disturbance = (forced, tier => tier % 2 == 0 ? Long : Short),
        };
        var rounds = (await context.RepeatAllAsync([scenario]))[0];
        var run = rounds.Median;
        var (jain, maxOverMin) = (rounds.Estimate(one => Fairness.Jain(one.TierMeans(from, end))), rounds.Estimate(one => Fairness.MaxOverMin(one.TierMeans(from, end))));
        var reached = rounds.Estimate(one => Settling.FirstLasting(
            one.WritesOverTime.Step, forced, end - Window, at => Fairness.Jain(one.TierMeans(at, at + Window)) >= 0.99)?.TotalSeconds ?? double.PositiveInfinity);

        var after = context.Settings.OnModel ? "30 s to 120 s after" : $"{(from - forced).TotalSeconds} s to {(end - forced).TotalSeconds} s after";
        var table = new Table(new Column("tier"), new Column("time", "s"), new Column("meanMs", "ms"));
        for (var at = TimeSpan.Zero; at < end; at += Window)
        {
            var tiers = run.TierMeans(at, at + Window);
            for (var tier = 0; tier < tiers.Length; tier++)
                table.Add(tier, at.TotalSeconds, tiers[tier]);
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                Headline.Of($"Jain's index, {after}", "", jain, 0.97),
                Headline.Of($"largest over smallest mean latency, {after}", "", maxOverMin),
                Headline.Of("time until Jain's index stays at 0.99", "s", reached),
            ],
            Plots = [new("Mean write latency of each middle tier", "time", "meanMs", "tier", Logarithmic: true)],
            Notes =
            [
                $"The paper does not say at which load; here it is {context.RateName(Load)}. The laws start anew at the forced intervals.",
                "Jain's index over time is taken over five seconds.",
            ],
        };
        result.Summary["jain"] = Json.Value(jain.Value);
        result.Summary["maxOverMin"] = Json.Value(maxOverMin.Value);
        result.Summary["secondsToJain99"] = Json.Value(reached.Value);
        return result;
    }
}
