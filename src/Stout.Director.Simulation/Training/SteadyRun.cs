using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Training;

/// <summary>A benchmark at steady load on a few servers that share the bins evenly (the paper's §5.4).</summary>
internal static class SteadyRun
{
    private const int WarmupSeconds = 5;

    /// <summary>Runs the benchmark. Returns the latencies of gets for each interval, counted by the millisecond.</summary>
    /// <param name="physics">The behavior of the servers.</param>
    /// <param name="servers">The number of servers.</param>
    /// <param name="replicas">The number of replicas of each bin. A get asks all of them.</param>
    /// <param name="visits">Visits per second at each server.</param>
    /// <param name="getShare">The share of gets.</param>
    /// <param name="intervals">The number of intervals of 20 s.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="copyRate">The rate of a copy to every server in bytes per second; 0 without copies.</param>
    public static List<Latencies> Run(ServerPhysics physics, int servers, int replicas, double visits, double getShare, int intervals, int seed, double copyRate = 0)
    {
        var bins = servers * 10;
        var cluster = new SimulatedCluster(new ClusterSetup
        {
            Physics = new Dictionary<string, ServerPhysics> { ["server"] = physics },
            BinBytes = new long[bins],
            BootTime = TimeSpan.Zero,
            ReadFanOut = replicas,
            Seed = seed,
        });
        // Every set of servers holds the replicas of equally many bins.
        cluster.Begin([.. Enumerable.Repeat("server", servers)], [.. Enumerable.Range(0, bins).Select(bin => Pick(bin, servers, replicas))], -WarmupSeconds);
        foreach (var server in cluster.Servers)
            server.CopyShare = copyRate / physics.CopyCapacity;
        var workload = new SteadyWorkload(visits * servers / replicas, [.. Enumerable.Repeat(1.0 / bins, bins)]) { GetShare = getShare, Length = TimeSpan.FromSeconds(20 * intervals) };
        var engine = new ExactEngine(cluster, workload, ServiceObjective.Paper, seed);
        var results = new List<Latencies>();
        engine.IntervalClosed = counts => results.Add(new Latencies([.. counts]));
        for (var time = -WarmupSeconds; time < 0; time++)
            engine.Advance(time, time + 1, new IntervalStatistics());
        engine.Close(new IntervalStatistics());
        results.Clear();
        for (var interval = 0; interval < intervals; interval++)
        {
            var statistics = new IntervalStatistics();
            for (var second = 0; second < 20; second++)
                engine.Advance(interval * 20 + second, interval * 20 + second + 1, statistics);
            var mean = statistics.LatencySum / statistics.Gets;
            engine.Close(statistics);
            results[^1] = results[^1] with { Mean = mean };
        }

        return results;
    }

    private static int[] Pick(int bin, int servers, int replicas)
    {
        var first = bin % servers;
        var stride = 1 + bin / servers % Math.Max(1, servers - 1);
        var picked = new List<int>();
        for (var i = 0; picked.Count < replicas; i++)
        {
            var server = (first + i * stride + i / servers) % servers;
            if (!picked.Contains(server))
                picked.Add(server);
        }

        return [.. picked];
    }
}
