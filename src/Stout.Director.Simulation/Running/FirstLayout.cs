namespace Stout.Director.Simulation.Running;

/// <summary>The layout that a run begins with.</summary>
internal static class FirstLayout
{
    /// <summary>Spreads replicas so that every server gets about the same load: the hottest bins first, each to the least loaded servers.</summary>
    public static IReadOnlyList<IReadOnlyList<int>> Balanced(ReadOnlySpan<double> shares, IReadOnlyList<long> bytes, int servers, int replicas)
    {
        var layout = new IReadOnlyList<int>[shares.Length];
        var loads = new PriorityQueue<int, (double Load, int Server)>(Enumerable.Range(0, servers).Select(server => (server, (0.0, server))));
        var sums = new double[servers];
        var weights = shares.ToArray();
        foreach (var bin in Enumerable.Range(0, shares.Length).OrderByDescending(bin => weights[bin]).ThenBy(bin => bin))
        {
            var chosen = Enumerable.Range(0, Math.Min(replicas, servers)).Select(_ => loads.Dequeue()).ToList();
            foreach (var server in chosen)
                loads.Enqueue(server, (sums[server] += weights[bin] + 1e-12 * bytes[bin] / bytes.Max(), server));
            layout[bin] = chosen;
        }

        return layout;
    }
}
