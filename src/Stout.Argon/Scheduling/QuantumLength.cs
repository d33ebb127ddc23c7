using Stout.Argon.Devices;

namespace Stout.Argon.Scheduling;

/// <summary>
/// Computes the length of a quantum from the required efficiency, the service's concurrency and its service times (the paper, section 3.5).
/// </summary>
internal static class QuantumLength
{
    /// <summary>The time lost by a quantum: one positioning to the service's data, and the drain.</summary>
    /// <remarks>
    /// During the drain, k = c−1 … 1 requests are at the device, where c is <paramref name="concurrency"/>. With a shorter queue each positioning takes
    /// longer. The time per request s(k) is modeled as a power function of k. It goes from s(1), the device's time for a single request, to s(c), the
    /// measured mean.
    /// </remarks>
    public static TimeSpan Loss(DeviceCost cost, double concurrency, TimeSpan mean, double meanBytes)
    {
        var alone = cost.ServiceTime((long)meanBytes);
        if (concurrency < 1.5 || mean <= TimeSpan.Zero || mean >= alone)
            return cost.Positioning;
        var steep = Math.Log(alone / mean) / Math.Log(concurrency);
        var drain = 0.0;
        for (var k = 1; k < concurrency; k++)
            drain += (alone.TotalSeconds * Math.Pow(k, -steep)) - mean.TotalSeconds;
        return cost.Positioning + TimeSpan.FromSeconds(drain);
    }

    /// <summary>The least quantum that loses at most the fraction 1 − <paramref name="efficiency"/>.</summary>
    /// <param name="loss">The time that a quantum loses.</param>
    /// <param name="efficiency">Above 0 and below 1.</param>
    public static TimeSpan For(TimeSpan loss, double efficiency) => loss / (1 - efficiency);
}
