using Stout.Director.Simulation.Clusters;

namespace Stout.Director.Simulation.Running;

/// <summary>Counts paid intervals.</summary>
internal static class Charges
{
    /// <summary>
    /// The paid intervals that began during the measured run, and the price of the run. An interval that is partly in the run counts by its part:
    /// even a run that is shorter than an interval has a price.
    /// </summary>
    public static (int Units, double Cost) Of(SimulatedCluster cluster, SimulationSettings settings)
    {
        var interval = settings.ChargeInterval.TotalSeconds;
        var end = settings.Workload.Length.TotalSeconds;
        var (units, cost) = (0, 0.0);
        foreach (var server in cluster.AllServers)
        {
            var price = settings.Prices.GetValueOrDefault(server.Type, 1);
            for (var start = server.Leased; start < Math.Min(end, server.Released) - 1e-9; start += interval)
            {
                cost += price * Math.Max(0, Math.Min(end, start + interval) - Math.Max(0, start)) / interval;
                if (start >= -1e-9)
                    units++;
            }
        }

        return (units, cost);
    }
}
