using Stout.Director.Simulation.Running;
using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>The figures of the service as it was.</summary>
internal static class Measured
{
    /// <summary>The measured figures; null if latency or the number of servers is unknown.</summary>
    public static Outcome? Of(ServiceHistory history, ServiceObjective objective, double pricePerHour)
    {
        var intervals = new Intervals(history, objective);
        var threshold = objective.Threshold.TotalSeconds;
        var known = history.Replicas.Where(double.IsFinite).ToList();
        if (known.Count == 0 || history.Buckets.Count == 0 || threshold < history.Buckets[0] || threshold > history.Buckets[^1])
            return null;
        var (slow, all) = (new double[intervals.Count], new double[intervals.Count]);
        for (var step = 0; step < history.Steps; step++)
        {
            foreach (var row in history.Servers.Select(server => server.Latency?[step]).OfType<double[]>().Where(row => row.Sum() > 0))
            {
                foreach (var interval in intervals.Of(step))
                {
                    slow[interval] += row.Sum() * FittedModel.At(history.Buckets, ServerSamples.Slower(row), threshold);
                    all[interval] += row.Sum();
                }
            }
        }

        double[] shares = [.. Enumerable.Range(0, intervals.Count).Select(i => all[i] > 0 && !intervals.IsUnknown(i) ? slow[i] / all[i] : double.NaN)];
        var hours = known.Average() * (history.Step * history.Steps).TotalHours;
        return new Outcome
        {
            Servers = known.Average(),
            Most = known.Max(),
            ServerHours = hours,
            Cost = hours * pricePerHour,
            Attained = SimulationResult.AttainedBy(shares),
            ViolatedMinutes = shares.Count(share => share > objective.SlowBudget) * intervals.Length.TotalMinutes,
            Slow = slow.Sum() / Math.Max(all.Sum(), double.Epsilon),
            Over = history.Replicas,
            SlowShares = shares,
        };
    }
}
