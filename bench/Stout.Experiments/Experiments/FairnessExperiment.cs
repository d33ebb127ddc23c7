using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Section 5.5: half of the middle tiers are forced to a long interval, half to a short one. Do they come to the same latency?</summary>
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
        var run = await context.RunAsync(context.Constant(context.Law, context.Rate(Load)) with
        {
            Duration = end,
            Warmup = forced,
            Disturbance = (forced, tier => tier % 2 == 0 ? Long : Short),
        });
        var means = run.TierMeans(from, end);
        var (jain, maxOverMin) = (Fairness.Jain(means), Fairness.MaxOverMin(means));
        var reached = Settling.FirstLasting(
            run.WritesOverTime.Step, forced, end - Window, at => Fairness.Jain(run.TierMeans(at, at + Window)) >= 0.99);

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
                new("Jain's index, 30 s to 120 s after", "", jain, 0.97),
                new("largest over smallest mean latency, 30 s to 120 s after", "", maxOverMin),
                new("time until Jain's index stays at 0.99", "s", reached?.TotalSeconds),
            ],
            Plots = [new("Mean write latency of each middle tier", "time", "meanMs", "tier", Logarithmic: true)],
            Notes =
            [
                $"The paper does not say at which load; here it is {Load:N0} requests/s. The laws start anew at the forced intervals.",
                "Jain's index over time is taken over five seconds.",
            ],
        };
        result.Summary["jain"] = Json.Value(jain);
        result.Summary["maxOverMin"] = Json.Value(maxOverMin);
        result.Summary["secondsToJain99"] = Json.Value(reached?.TotalSeconds);
        return result;
    }
}
