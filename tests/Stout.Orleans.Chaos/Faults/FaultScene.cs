using Stout.Orleans.Chaos.Load;

namespace Stout.Orleans.Chaos.Faults;

/// <summary>Where faults happen.</summary>
/// <param name="Cluster">The cluster.</param>
/// <param name="Clients">The clients, which go on meanwhile.</param>
/// <param name="Random">Chooses.</param>
/// <param name="Between">Requests between two faults, on average.</param>
internal sealed record FaultScene(ChaosCluster Cluster, Clients Clients, Random Random, int Between)
{
    /// <summary>One of the cluster's silos.</summary>
    public ChaosSilo AnySilo() => Cluster.Silos[Random.Next(Cluster.Silos.Count)];

    /// <summary>The clients go on for a part of the time between two faults.</summary>
    public Task GoOnAsync(double part) => Clients.Requests.MoreAsync(Math.Max(1, (int)(Between * part)));
}
