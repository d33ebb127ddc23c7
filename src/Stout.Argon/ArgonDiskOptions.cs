using Stout.Argon.Devices;

namespace Stout.Argon;

/// <summary>The settings of one disk.</summary>
public sealed record ArgonDiskOptions
{
    /// <summary>The folder of the disk's objects. The server creates it if it does not exist.</summary>
    public required string Folder { get; set; }

    /// <summary>The cost of requests to the disk. Null, the default, measures it at the first start and keeps the result in the folder.</summary>
    public DeviceCost? Cost { get; set; }

    /// <summary>
    /// How services share the disk. By default, the calibration decides; with a given <see cref="Cost"/> or a cap, services then have quanta.
    /// </summary>
    public DiskSharing Sharing { get; set; }

    /// <summary>The largest number of requests at the disk at once, from 1 to 256; 32 by default. The server starts as many threads for the disk.</summary>
    public int QueueDepth { get; set; } = 32;

    /// <summary>Caps the requests per second to the disk; above zero. Null, the default, sets no cap.</summary>
    public double? MostRequestsPerSecond { get; init; }

    /// <summary>Caps the bytes per second to and from the disk; above zero. Null, the default, sets no cap.</summary>
    public double? MostBytesPerSecond { get; init; }

    /// <summary>Uses buffered I/O if the file system has no direct I/O. All services then share the kernel's cache. False by default.</summary>
    public bool AllowBuffered { get; set; }

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(ArgonDiskOptions);
}
