using Stout.Director.Models;

namespace Stout.Director.Simulation.Baselines;

/// <summary>The parameters of a baseline.</summary>
/// <param name="Kind">The controller.</param>
/// <param name="Type">The server type that the controller leases.</param>
internal sealed record BaselineSettings(BaselineKind Kind, ServerType Type)
{
    /// <summary>The utilization that the autoscaler aims at, in shares of the model's boundary. Default: 0.7.</summary>
    public double Target { get; init; } = 0.7;

    /// <summary>The least number of servers. At least 1. Default: 2.</summary>
    public int LeastServers { get; init; } = 2;

    /// <summary>The largest number of servers. At least <see cref="LeastServers"/>. Default: no bound.</summary>
    public int MostServers { get; init; } = int.MaxValue;

    /// <summary>For <see cref="BaselineKind.Schedule"/>: the number of servers at a time since the beginning of the warm-up. Default: the least number.</summary>
    public Func<TimeSpan, int>? Schedule { get; init; }

    /// <summary>The share of slow reads that the closed loop allows. Default: 0.01.</summary>
    public double SlowBudget { get; init; } = 0.01;

    /// <summary>The rate of copies in bytes per second. Default: 4 MB/s.</summary>
    public double CopyRate { get; init; } = 4e6;

    /// <summary>Seed of the activations. Default: 1.</summary>
    public int Seed { get; init; } = 1;
}
