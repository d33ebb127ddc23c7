using Stout.Argon.Configuration;

namespace Stout.Argon;

/// <summary>The engine's figures of one service.</summary>
/// <param name="Name">The service.</param>
/// <param name="Status">The state of its promise. <see cref="ServiceStatus.BestEffort"/>: the cache lacks <see cref="MissingBytes"/>.</param>
/// <param name="PartitionBytes">The service's part of the cache.</param>
/// <param name="NeededBytes">The smallest part for R; 0 during its trial.</param>
/// <param name="Absorbed">The fraction of its references to blocks that the cache absorbed.</param>
/// <param name="DiskTime">The time in which disks worked for it.</param>
public sealed record ServiceReport(string Name, ServiceStatus Status, long PartitionBytes, long NeededBytes, double Absorbed, TimeSpan DiskTime)
{
    /// <summary>The bytes of cache that the promise lacks.</summary>
    public long MissingBytes => Status == ServiceStatus.BestEffort ? Math.Max(0, NeededBytes - PartitionBytes) : 0;
}
