using Stout.Argon.Configuration;

namespace Stout.Experiments.Argon.Simulation;

/// <summary>The measured figures of one service.</summary>
/// <param name="Name">The service.</param>
/// <param name="Throughput">Requests per second.</param>
/// <param name="DiskTime">The fraction of the time in which a disk worked for it.</param>
/// <param name="Absorbed">The absorbed fraction of its references.</param>
/// <param name="Predicted">The profile's prediction of it for the partition, less the frames that its requests pin.</param>
/// <param name="Status">The status at the end.</param>
/// <param name="Partition">Its frames at the end.</param>
/// <param name="Least">The least frames that it needs.</param>
/// <param name="Latencies">The times of its requests, in seconds, ascending.</param>
internal sealed record ServiceFigures(string Name, double Throughput, double DiskTime, double Absorbed, double Predicted, ServiceStatus Status, int Partition, int Least, IReadOnlyList<double> Latencies);
