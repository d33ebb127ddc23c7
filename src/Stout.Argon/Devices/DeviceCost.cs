namespace Stout.Argon.Devices;

/// <summary>
/// The cost of a request to a device: a positioning time, then the transfer of its bytes. The paper's section 3.3 has S = seek + rotation/2 +
/// transfer. Here S = c + bytes/B, where c and B are measured, so the cost applies to any device.
/// </summary>
/// <param name="Positioning">The time before the first byte of a request that does not continue the last one; above zero.</param>
/// <param name="BytesPerSecond">The transfer rate; above zero.</param>
public sealed record DeviceCost(TimeSpan Positioning, double BytesPerSecond)
{
    /// <summary>The cost under caps: the delay by a request cap counts as positioning.</summary>
    internal DeviceCost Capped(double requestsPerSecond, double bytesPerSecond)
    {
        var interval = TimeSpan.FromSeconds(1 / requestsPerSecond);
        return new DeviceCost(Positioning > interval ? Positioning : interval, Math.Min(BytesPerSecond, bytesPerSecond));
    }

    /// <summary>The service time of a single request.</summary>
    /// <param name="bytes">The request's size.</param>
    public TimeSpan ServiceTime(long bytes) => Positioning + Transfer(bytes);

    /// <summary>The transfer time alone.</summary>
    /// <param name="bytes">The request's size.</param>
    public TimeSpan Transfer(long bytes) => TimeSpan.FromSeconds(bytes / BytesPerSecond);

    /// <summary>The fraction of the service time that transfers data: the paper's disk efficiency.</summary>
    /// <param name="bytes">The request's size.</param>
    public double Efficiency(long bytes) => Transfer(bytes) / ServiceTime(bytes);

    /// <summary>
    /// The smallest size of a request, in bytes, with the efficiency e = <paramref name="efficiency"/>. The transfer of such a request takes e/(1−e) times
    /// as long as the positioning: 9 times for 0.9.
    /// </summary>
    /// <param name="efficiency">Above 0 and below 1.</param>
    public long BytesFor(double efficiency)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(efficiency, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(efficiency, 1);
        return (long)Math.Ceiling(efficiency / (1 - efficiency) * Positioning.TotalSeconds * BytesPerSecond);
    }
}
