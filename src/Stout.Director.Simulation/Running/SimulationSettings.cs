using Stout.Director.Models;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Running;

/// <summary>The settings of one run of a simulated cluster.</summary>
public sealed record SimulationSettings
{
    /// <summary>The cluster.</summary>
    public required ClusterSetup Cluster { get; init; }

    /// <summary>The load.</summary>
    public required Workload Workload { get; init; }

    /// <summary>The objective; only its threshold matters to the run.</summary>
    public ServiceObjective Objective { get; init; } = ServiceObjective.Paper;

    /// <summary>The length of a paid interval.</summary>
    public required TimeSpan ChargeInterval { get; init; }

    /// <summary>The price of one paid interval by server type. Types that are missing cost 1.</summary>
    public IReadOnlyDictionary<string, double> Prices { get; init; } = new Dictionary<string, double>();

    /// <summary>The way in which latency is found. Default: <see cref="SimulationMode.Exact"/>.</summary>
    public SimulationMode Mode { get; init; } = SimulationMode.Exact;

    /// <summary>The model file of each server type, with the latencies that <see cref="SimulationMode.Flow"/> needs.</summary>
    public IReadOnlyDictionary<string, ModelFile> Models { get; init; } = new Dictionary<string, ModelFile>();

    /// <summary>Creates the controller when the cluster has its first servers. The controller's time is then 0: the beginning of the warm-up.</summary>
    public required Func<SimulatedCluster, IController> Controller { get; init; }

    /// <summary>The server type that the cluster begins with.</summary>
    public required string FirstType { get; init; }

    /// <summary>The number of servers at the beginning: at least <see cref="FirstReplicas"/>.</summary>
    public required int FirstServers { get; init; }

    /// <summary>The number of replicas of each bin at the beginning. Default: 2.</summary>
    public int FirstReplicas { get; init; } = 2;

    /// <summary>The time before measuring begins. A multiple of 20 s. Default: 10 min.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// The time from one step of the simulation to the next. Divides 20 s and the controller's period. A copy takes at least one step. Default: 1 s.
    /// </summary>
    public TimeSpan Tick { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Seed of everything random. Default: 1.</summary>
    public int Seed { get; init; } = 1;
}
