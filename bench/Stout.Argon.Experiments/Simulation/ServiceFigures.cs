using Stout.Argon.Configuration;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>The measured figures of one service.</summary>
/// <param name="Name">The service's name.</param>
/// <param name="Throughput">Requests per second.</param>
/// <param name="DiskTime">The fraction of the time in which a disk worked for the service.</param>
/// <param name="Absorbed">The fraction of the service's references that the cache absorbed.</param>
/// <param name="Predicted">The absorbed fraction that the service's profile predicts for a cache of the partition's frames, less the frames that requests
/// pin.</param>
/// <param name="Status">The service's status at the end.</param>
/// <param name="Partition">The number of frames of the service's cache partition at the end.</param>
/// <param name="Least">The least number of frames that the service needs.</param>
/// <param name="Promised">The blocks per second that the engine promised the service in its last measuring period; null without a report.</param>
/// <param name="Reported">The blocks per second that the engine reported for that period.</param>
/// <param name="Blocks">The blocks per second of the whole measurement.</param>
/// <param name="Latencies">The response times of the service's requests, in seconds, ascending.</param>
internal sealed record ServiceFigures(string Name, double Throughput, double DiskTime, double Absorbed, double Predicted, ServiceStatus Status, int Partition, int Least, double? Promised, double? Reported, double Blocks, IReadOnlyList<double> Latencies)
{
    /// <summary>Whether the engine reports that the service has less than its promise.</summary>
    public bool Broken => ServiceReport.IsBroken(Status, Reported, Promised);
}
