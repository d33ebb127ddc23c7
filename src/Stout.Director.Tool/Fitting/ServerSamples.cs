using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Fitting;

/// <summary>Takes the servers' visits and latency out of a history.</summary>
internal static class ServerSamples
{
    // The share of slow reads of fewer reads tells little.
    private const double LeastReads = 20;

    /// <exception cref="HistoryException">The history has no latency by load.</exception>
    public static List<LoadSampleOfServer> Of(ServiceHistory history)
    {
        if (history.Buckets.Count == 0 || history.Servers.All(server => server.Latency is null))
            throw new HistoryException("The history has no latency, so that no model can be made of it. Import a histogram of latency, or give a model with --types.");
        var samples = new List<LoadSampleOfServer>();
        foreach (var server in history.Servers)
        {
            for (var step = 0; step < history.Steps; step++)
            {
                var count = server.Count?[step] ?? (server.Name == "all" ? history.Replicas[step] : 1);
                if (server.Latency?[step] is { } row && count >= 1 && row.Sum() * history.StepSeconds >= LeastReads)
                    samples.Add(new LoadSampleOfServer(server.Reads[step] / count, server.Writes[step] / count, Slower(row), count));
            }
        }

        return samples.Count > 0 ? samples : throw new HistoryException("The history has no step in which the latency and the number of servers are known.");
    }

    /// <summary>The shares of slower reads, for each bound of a row of buckets.</summary>
    public static double[] Slower(double[] row)
    {
        var total = row.Sum();
        var slower = new double[row.Length - 1];
        var rest = total;
        for (var i = 0; i < slower.Length; i++)
            slower[i] = Math.Clamp((rest -= row[i]) / total, 0, 1);
        return slower;
    }
}
