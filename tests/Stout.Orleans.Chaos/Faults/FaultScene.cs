using Stout.Orleans.Chaos.Load;

namespace Stout.Orleans.Chaos.Faults;

/// <summary>The cluster and the clients of a run, as the faults use them.</summary>
/// <param name="Cluster">The cluster.</param>
/// <param name="Clients">The clients, which send requests during the faults, too.</param>
/// <param name="Random">Makes the random choices.</param>
/// <param name="Between">The average number of requests between two faults.</param>
internal sealed record FaultScene(ChaosCluster Cluster, Clients Clients, Random Random, int Between)
{
    /// <summary>One of the cluster's silos, chosen at random.</summary>
    public ChaosSilo AnySilo() => Cluster.Silos[Random.Next(Cluster.Silos.Count)];

    /// <summary>Waits until the clients have made <paramref name="part"/> × <see cref="Between"/> further requests.</summary>
    public Task GoOnAsync(double part) => Clients.Requests.MoreAsync(Math.Max(1, (int)(Between * part)));
}
