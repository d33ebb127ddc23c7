using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>How a law responds to changes: short forms of figures 11 and 14 and of the fairness experiment, at the store's own loads.</summary>
/// <param name="SettleSeconds">The time to settle after the load rises from the store's second load to its third; null: never.</param>
/// <param name="RecoverSeconds">The time to recover from the end of a pause of 2.7 s, at the lowest load; null: never.</param>
/// <param name="Jain">Jain's index of the middle tiers' mean latencies, 10 to 30 s after the laws restart. Half of the laws restart with an interval of 400 ms,
/// half with 80 ms. Null with one middle tier.</param>
internal sealed record LawDynamics(double? SettleSeconds, double? RecoverSeconds, double? Jain)
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(2.7);

    /// <param name="context">Runs the scenarios.</param>
    /// <param name="scenario">The law and the store.</param>
    public static async Task<LawDynamics> MeasureAsync(ExperimentContext context, Scenario scenario)
    {
        var loads = scenario.Store.Loads;
        var at = context.Seconds(15, 3);
        var end = at + context.Seconds(30, 10);
        var measured = scenario with { Duration = end, Warmup = at };
        var stepped = context.RunAsync(measured with { Load = LoadProfile.Step(loads[1], at, loads[2]) });
        var paused = context.RunAsync(measured with { Load = LoadProfile.Constant(loads[0]), Speed = _ => StoreSpeed.Hiccup(at, Pause) });
        var forced = context.RunAsync(measured with { Load = LoadProfile.Constant(loads[1]), Disturbance = (at, static tier => tier % 2 == 0 ? 400 : 80) });
        var (step, pause, fair) = (await stepped, await paused, await forced);
        return new LawDynamics(
            step.GrowsAfter(at) ? null : Settling.Time(step.WritesOverTime, at, end)?.TotalSeconds,
            Recovery.Time(pause.WritesOverTime, at, at + Pause, end)?.TotalSeconds,
            scenario.Tiers == 1 ? null : Fairness.Jain(fair.TierMeans(at + context.Seconds(10, 5), end)));
    }
}
