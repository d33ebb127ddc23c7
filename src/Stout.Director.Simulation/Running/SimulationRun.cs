using Stout.Director.Decisions;
using Stout.Director.Simulation.Clusters;

namespace Stout.Director.Simulation.Running;

/// <summary>Runs a controller on a simulated cluster in virtual time. The same settings give the same result, bit for bit.</summary>
public static class SimulationRun
{
    /// <summary>Runs a simulation.</summary>
    /// <param name="settings">The settings of the run.</param>
    /// <param name="progress">Receives the share that is done, from 0 to 1.</param>
    /// <param name="cancellationToken">Ends the run.</param>
    /// <returns>The result.</returns>
    public static SimulationResult Run(SimulationSettings settings, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        var tick = settings.Tick.TotalSeconds;
        var begin = -settings.Warmup.TotalSeconds;
        var end = settings.Workload.Length.TotalSeconds;
        var cluster = new SimulatedCluster(settings.Cluster with { Seed = settings.Seed });
        var shares = new double[cluster.Bins];
        settings.Workload.FillShares(begin, shares);
        cluster.Begin(
            [.. Enumerable.Repeat(settings.FirstType, settings.FirstServers)],
            FirstLayout.Balanced(shares, settings.Cluster.BinBytes, settings.FirstServers, settings.FirstReplicas),
            begin);
        var controller = settings.Controller(cluster);
        ClusterEngine engine = settings.Mode == SimulationMode.Exact
            ? new ExactEngine(cluster, settings.Workload, settings.Objective, settings.Seed)
            : new FlowEngine(cluster, settings);

        var intervals = new List<IntervalStatistics>();
        var decisions = new List<Decision>();
        var statistics = new IntervalStatistics();
        var (copied, bytes, leased, released) = (0L, 0L, 0, 0);
        var nextPlan = begin + controller.Period.TotalSeconds;
        var length = SimulationResult.Interval.TotalSeconds;
        for (var time = begin; time < end; time += tick)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (time == 0)
                (copied, bytes, leased, released) = (cluster.BinsCopied, cluster.BytesCopied, cluster.ServersLeased, cluster.ServersReleased);
            engine.Advance(time, time + tick, statistics);
            cluster.Tick(time + tick);
            var now = TimeSpan.FromSeconds(time + tick - begin);
            cluster.SlowShare = statistics.SlowShare;
            if (time + tick >= nextPlan)
            {
                nextPlan += controller.Period.TotalSeconds;
                if (controller.Plan(now) is { } decision && (decision.Actions.Count > 0 || decision.Findings.Count > 0))
                    decisions.Add(decision);
            }

            controller.Advance(now);
            if ((time + tick - begin) % length != 0)
                continue;
            engine.Close(statistics);
            if (time >= 0)
                intervals.Add(Finish(statistics, cluster, settings, time));
            statistics = new IntervalStatistics();
            progress?.Report((time + tick - begin) / (end - begin));
        }

        var (units, cost) = Charges.Of(cluster, settings);
        return new SimulationResult
        {
            Intervals = intervals,
            Units = units,
            Cost = cost,
            Moves = cluster.BinsCopied - copied,
            BytesMoved = cluster.BytesCopied - bytes,
            Leases = cluster.ServersLeased - leased,
            Releases = cluster.ServersReleased - released,
            Visits = engine is ExactEngine exact ? exact.Visits : 0,
            Decisions = decisions,
        };
    }

    private static IntervalStatistics Finish(IntervalStatistics statistics, SimulatedCluster cluster, SimulationSettings settings, double time)
    {
        statistics.Servers = cluster.Servers.Count;
        statistics.Rate = settings.Workload.Rate(time - SimulationResult.Interval.TotalSeconds / 2);
        for (var bin = 0; bin < cluster.Bins; bin++)
            statistics.MostReplicas = Math.Max(statistics.MostReplicas, cluster.Layout.Replicas(bin).Length);
        return statistics;
    }
}
