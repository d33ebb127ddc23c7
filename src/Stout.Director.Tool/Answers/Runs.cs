using Stout.Director.Models;
using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>Simulates the load of a history under rules.</summary>
/// <param name="history">The history.</param>
/// <param name="kind">The kind of server.</param>
/// <param name="binBytes">The size of each bin in bytes, where the history does not tell.</param>
internal sealed class Runs(ServiceHistory history, ServerKind kind, long binBytes)
{
    // The Director moves parts of a divisible load, such as slots of a load balancer: this many for each server at the peak.
    private const int SlotsPerServer = 10;
    private const int LeastSlots = 40;
    private const int MostSlots = 400;

    // Long histories are simulated in longer steps. Both divide 20 s and the periods of all controllers.
    private static readonly TimeSpan ShortTick = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongTick = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongHistory = TimeSpan.FromHours(6);

    /// <summary>Simulates one rule with one model.</summary>
    public Outcome Run(Rule rule, Situation situation, ModelFile model, int seed, CancellationToken cancellationToken)
    {
        var type = model.Type;
        var perServer = 1 / type.SteadyState.CostOfGet;
        var length = history.Step * history.Steps;
        var peak = new HistoryWorkload(history, kind.WriteCost, situation.Scale, 1) { Length = length }.Peak;
        var slots = rule.Policy is null ? 1 : Math.Clamp((int)Math.Ceiling(SlotsPerServer * peak / perServer), LeastSlots, MostSlots);
        var workload = new HistoryWorkload(history, kind.WriteCost, situation.Scale, slots) { Length = length };
        var target = Target(rule, model);
        var policy = Policy(rule.Policy ?? DirectorPolicy.Default, situation);
        var warmup = TimeSpan.FromMinutes(10);
        var schedule = rule == Rule.Recorded ? Schedules.Recorded(history) : Schedules.Hourly(history, workload, perServer * target);
        int Within(double servers) => Math.Clamp((int)Math.Ceiling(servers - 1e-9), situation.Least, situation.Most);
        var first = Within(rule.Kind switch
        {
            BaselineKind.Static => peak / (perServer * target),
            BaselineKind.Schedule => schedule(TimeSpan.Zero),
            _ => workload.Rate(0) * (1 + policy.Overprovisioning) / (perServer * Math.Min(target, policy.FillLimit)),
        });
        var result = SimulationRun.Run(
            new SimulationSettings
            {
                Cluster = new ClusterSetup
                {
                    Physics = new Dictionary<string, Simulation.Physics.ServerPhysics> { [type.Name] = model.Physics() },
                    BinBytes = [.. Enumerable.Range(0, workload.Bins).Select(bin => history.IsDivisible ? 1 : Math.Max(1, Math.Max(history.Bins[bin].Bytes, binBytes)))],
                    BootTime = situation.Boot,
                    ReadFanOut = 1,
                    ReportsLatency = !rule.IsPaper,
                    SampledGets = rule.IsPaper ? 0.02 : 1,
                },
                Workload = workload,
                Objective = situation.Objective,
                ChargeInterval = situation.Charge,
                Mode = SimulationMode.Flow,
                Models = new Dictionary<string, ModelFile> { [type.Name] = model },
                Controller = rule.Controller(policy, type, target, situation, time => schedule(time - warmup), workload.Bins),
                FirstType = type.Name,
                FirstServers = first,
                // A load balancer sends to every server.
                FirstReplicas = workload.Bins == 1 ? first : 1,
                Warmup = warmup,
                Tick = length > LongHistory ? LongTick : ShortTick,
                Seed = seed,
            },
            null,
            cancellationToken);
        return Of(result, workload, situation);
    }

    private static DirectorPolicy Policy(DirectorPolicy policy, Situation situation) => policy with
    {
        BootTime = situation.Boot,
        ChargeInterval = situation.Charge,
        LeastReplicas = 1,
        ReadFanOut = 1,
        LeastServers = situation.Least,
        MostServers = situation.Most,
        SlowBudget = situation.Objective.SlowBudget,
    };

    // The share of the boundary at which a server has the rule's utilization: as the history's processors have it, or as a share of saturation.
    private double Target(Rule rule, ModelFile model)
    {
        if (rule.Kind is not (BaselineKind.Hpa or BaselineKind.Rate))
            return rule.Target;
        var load = kind.UtilizationAt?.Invoke(rule.Target) * model.Type.SteadyState.CostOfGet ?? rule.Target * model.Latencies!.Saturation;
        return Math.Max(load, 1e-3);
    }

    private Outcome Of(SimulationResult result, HistoryWorkload workload, Situation situation)
    {
        var intervals = new Intervals(history, situation.Objective);
        var all = result.SlowShares(intervals.Length).Take(intervals.Count).ToList();
        double[] shares = [.. Enumerable.Range(0, intervals.Count).Select(i => i < all.Count && !intervals.IsUnknown(i) ? all[i] : double.NaN)];
        var hours = result.Units * situation.Charge.TotalHours;
        var seconds = SimulationResult.Interval.TotalSeconds;
        return new Outcome
        {
            Servers = result.Intervals.Average(interval => interval.Servers),
            Most = result.Intervals.Max(interval => interval.Servers),
            ServerHours = hours,
            Cost = hours * kind.PriceOfHour(situation),
            Attained = SimulationResult.AttainedBy(shares),
            ViolatedMinutes = shares.Count(share => share > situation.Objective.SlowBudget) * intervals.Length.TotalMinutes,
            Slow = result.Intervals.Sum(interval => interval.Slow) / Math.Max(result.Intervals.Sum(interval => interval.Gets), double.Epsilon),
            Extrapolated = (double)result.Intervals.Index().Count(interval => workload.Rate(interval.Index * seconds) / interval.Item.Servers > kind.HighestLoad * 1.02) / result.Intervals.Count,
            Over = [.. result.Intervals.Select(interval => (double)interval.Servers)],
            SlowShares = shares,
        };
    }
}
