using Stout.Argon.Devices;

namespace Stout.Argon;

/// <summary>The engine's figures of one disk.</summary>
/// <param name="Folder">The disk's folder.</param>
/// <param name="Sharing">How the services share the disk: <see cref="DiskSharing.Quanta"/> or <see cref="DiskSharing.AtOnce"/>.</param>
/// <param name="Cost">The cost of requests: the measured or given one, with its positioning time corrected by the services' requests.</param>
/// <param name="CalibratedCost">The measured or given cost.</param>
/// <param name="SpanBytes">The bytes of data over which the positioning time was measured; null if it was given, or if the measurement was implausible. A
/// measurement over less than the folder's data finds too short a time, until the services' requests correct it.</param>
public sealed record DiskReport(string Folder, DiskSharing Sharing, DeviceCost Cost, DeviceCost CalibratedCost, long? SpanBytes);
