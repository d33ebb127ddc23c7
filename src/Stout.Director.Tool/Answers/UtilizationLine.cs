using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>Fits the processor's utilization of a server as a line over its load.</summary>
internal static class UtilizationLine
{
    private const int LeastSamples = 10;

    /// <summary>The load in reads per second at a utilization; null if the history does not tell.</summary>
    public static Func<double, double>? Of(ServiceHistory history, double writeCost)
    {
        var points = history.Servers.Where(server => server.Utilization is not null)
            .SelectMany(server => Enumerable.Range(0, history.Steps).Select(step => (Load: (server.Reads[step] + writeCost * server.Writes[step]) / (server.Count?[step] ?? 1), Used: server.Utilization![step])))
            .Where(point => double.IsFinite(point.Load) && double.IsFinite(point.Used)).ToList();
        if (points.Count < LeastSamples)
            return null;
        var (load, used) = (points.Average(point => point.Load), points.Average(point => point.Used));
        var slope = points.Sum(point => (point.Load - load) * (point.Used - used)) / points.Sum(point => (point.Load - load) * (point.Load - load));
        return slope > 0 && double.IsFinite(slope) ? utilization => (utilization - (used - slope * load)) / slope : null;
    }
}
