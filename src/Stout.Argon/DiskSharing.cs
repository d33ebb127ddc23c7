namespace Stout.Argon;

/// <summary>How services share a disk.</summary>
public enum DiskSharing
{
    /// <summary>The calibration decides: <see cref="AtOnce"/> where exclusive quanta would cost more than interference, otherwise <see cref="Quanta"/>.</summary>
    Calibrated,

    /// <summary>Services have the disk in turns, which keeps sequential reads together. It suits disks with a seek, and disks that serve one request at a time.</summary>
    Quanta,

    /// <summary>
    /// Requests of all services are at the disk together, in the order of fair queueing. It suits flash and other disks with much throughput from concurrent requests.
    /// </summary>
    AtOnce,
}
