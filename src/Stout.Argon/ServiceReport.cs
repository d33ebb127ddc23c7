using Stout.Argon.Configuration;

namespace Stout.Argon;

/// <summary>The engine's figures of one service.</summary>
/// <param name="Name">The service's name.</param>
/// <param name="Status">Whether the service keeps the promised throughput (<see cref="ArgonOptions.Insulation"/>). A service of
/// <see cref="ServiceStatus.BestEffort"/> lacks <see cref="MissingBytes"/> of cache; if these are 0, the whole cache does not suffice.</param>
/// <param name="PartitionBytes">The service's part of the cache.</param>
/// <param name="NeededBytes">The smallest part of the cache that suffices for the promised throughput; 0 during a trial, or if the whole cache does not
/// suffice.</param>
/// <param name="Absorbed">The fraction of the service's references to blocks that the cache absorbed, so that they needed no disk access.</param>
/// <param name="DiskTime">The time in which disks worked for the service. Where services share a disk at once, the time that the service's requests would
/// have taken alone on it.</param>
/// <param name="UsedBytes">The disk space of the objects that services of this name created; 0 without <see cref="ArgonOptions.Quotas"/>.</param>
/// <param name="Throughput">The blocks per second that the service read and wrote in its last measuring period. A period is as long as a trial
/// (<see cref="ArgonOptions.Trial"/>), and longer until it has 200 blocks. Null during a trial, and before the end of the first period after it.</param>
/// <param name="PromisedThroughput">The promise for the same period in blocks per second: R × share × the throughput alone, where R is
/// <see cref="ArgonOptions.Insulation"/>. The throughput alone is an estimate from the service's profile, with the same pauses between the requests. Null with
/// <paramref name="Throughput"/>.</param>
public sealed record ServiceReport(
    string Name, ServiceStatus Status, long PartitionBytes, long NeededBytes, double Absorbed, TimeSpan DiskTime, long UsedBytes, double? Throughput, double? PromisedThroughput)
{
    /// <summary>The bytes of cache that a best-effort service lacks for the promised throughput; 0 for other services.</summary>
    public long MissingBytes => Status == ServiceStatus.BestEffort ? Math.Max(0, NeededBytes - PartitionBytes) : 0;

    /// <summary>
    /// Whether an insulated service had less than the promised throughput in its last measuring period: less than 0.98 of <see cref="PromisedThroughput"/>.
    /// </summary>
    public bool PromiseBroken => IsBroken(Status, Throughput, PromisedThroughput);

    /// <summary>The rule of <see cref="PromiseBroken"/>.</summary>
    internal static bool IsBroken(ServiceStatus status, double? reached, double? promised) => status == ServiceStatus.Insulated && reached < promised * (1 - Engine.ArgonCore.Broken);
}
