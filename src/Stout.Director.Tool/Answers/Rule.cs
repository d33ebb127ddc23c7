using Stout.Director.Loads;
using Stout.Director.Models;
using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Running;

namespace Stout.Director.Tool.Answers;

/// <summary>A way to decide on the number of servers, and its words.</summary>
/// <param name="Words">The words.</param>
/// <param name="Kind">The baseline; null for a Director.</param>
/// <param name="Target">The utilization at which an autoscaler aims, or which a static number has at the peak.</param>
/// <param name="Policy">The Director's policy; null for a baseline.</param>
internal sealed record Rule(string Words, BaselineKind? Kind, double Target, DirectorPolicy? Policy)
{
    /// <summary>All rules, in the order of the page.</summary>
    public static IReadOnlyList<Rule> All { get; } =
    [
        new("static, sized for the peak", BaselineKind.Static, 1, null),
        new("static, peak at 70 %", BaselineKind.Static, 0.7, null),
        new("schedule by hour, at 70 %", BaselineKind.Schedule, 0.7, null),
        .. new[] { 0.5, 0.6, 0.7, 0.8 }.Select(target => new Rule(FormattableString.Invariant($"HPA at {100 * target:0} %"), BaselineKind.Hpa, target, null)),
        new("KEDA on requests/s, at 70 %", BaselineKind.Rate, 0.7, null),
        new("Director", null, 1, DirectorPolicy.Default),
        new("Director, 30 % overprovisioning", null, 1, DirectorPolicy.Default with { Overprovisioning = 0.3 }),
        new("Director, no reserve", null, 1, DirectorPolicy.Default with { Standbys = 0, Surge = 0 }),
        new("Director, the SCADS paper's policy", null, 1, DirectorPolicy.Paper()),
    ];

    /// <summary>The rule that repeats the recorded number of servers.</summary>
    public static Rule Recorded { get; } = new("the recorded number of servers", BaselineKind.Schedule, 1, null);

    /// <summary>Whether the simulated cluster measures for the Director as the paper's does: a sample of the visits, and no latency.</summary>
    public bool IsPaper => Policy?.Forecast == ForecastKind.Smoothing;

    /// <summary>Makes the controller.</summary>
    public Func<SimulatedCluster, IController> Controller(DirectorPolicy policy, ServerType type, double target, Situation situation, Func<TimeSpan, int>? schedule, int bins) => cluster => Kind is { } kind
        ? new BaselineController(
            new BaselineSettings(kind, type) { Target = target, LeastServers = situation.Least, MostServers = situation.Most, Schedule = schedule, CopyRate = policy.CopyRate }, cluster)
        : new DirectorController(new DirectorSettings(policy, [type], bins), cluster, TimeSpan.Zero);
}
