using Stout.Orleans.Chaos.Load;

namespace Stout.Orleans.Chaos.Faults;

/// <summary>The cluster and the clients of a run, as the faults use them.</summary>
/// <param name="Cluster">The cluster.</param>
/// <param name="Clients">The clients, which go on meanwhile.</param>
/// <param name="Random">Makes the random choices.</param>
/// <param name="Between">The average number of requests between two faults.</param>
internal sealed record FaultScene(ChaosCluster Cluster, Clients Clients, Random Random, int Between)
{
    /// <summary>One of the cluster's silos.</summary>
    public ChaosSilo AnySilo() => Cluster.Silos[Random.Next(Cluster.Silos.Count)];

    /// <summary>Completes after a fraction of the requests between two faults.</summary>
    public Task GoOnAsync(double part) => Clients.Requests.MoreAsync(Math.Max(1, (int)(Between * part)));
}
