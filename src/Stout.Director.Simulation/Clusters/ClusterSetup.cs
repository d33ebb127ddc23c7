using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Clusters;

/// <summary>The unchanging properties of a simulated cluster.</summary>
public sealed record ClusterSetup
{
    /// <summary>The behavior of each server type, by name.</summary>
    public required IReadOnlyDictionary<string, ServerPhysics> Physics { get; init; }

    /// <summary>The size of each bin in bytes.</summary>
    public required IReadOnlyList<long> BinBytes { get; init; }

    /// <summary>The time a leased server takes to boot.</summary>
    public required TimeSpan BootTime { get; init; }

    /// <summary>The number of replicas that one read is sent to.</summary>
    public required int ReadFanOut { get; init; }

    /// <summary>The share of gets that servers count. Default: 1; the paper samples 0.02.</summary>
    public double SampledGets { get; init; } = 1;

    /// <summary>The share of puts that servers count. Default: 1; the paper samples 0.4.</summary>
    public double SampledPuts { get; init; } = 1;

    /// <summary>Whether observations have the clients' share of slow reads. Default: yes.</summary>
    public bool ReportsLatency { get; init; } = true;

    /// <summary>The number of zones over which servers are spread in turn. At least 1. Default: 1.</summary>
    public int Zones { get; init; } = 1;

    /// <summary>The largest number of servers that the pool leases at once. Default: no limit.</summary>
    public int PoolSize { get; init; } = int.MaxValue;

    /// <summary>Seed of everything random in the cluster.</summary>
    public int Seed { get; init; } = 1;
}
