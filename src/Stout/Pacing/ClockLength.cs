namespace Stout.Pacing;

/// <summary>
/// The length of something that all lanes do at the same time by the clock: a power of two of milliseconds, and it stays while it is nearly right. So
/// lanes that nearly agree on how long it should be agree on when it begins.
/// </summary>
internal static class ClockLength
{
    private const double Tolerance = 1.5;

    /// <param name="length">The length so far, in milliseconds.</param>
    /// <param name="wanted">The length that would suit the lane, in milliseconds; above 0.</param>
    public static double Fit(double length, double wanted)
        => wanted > Tolerance * length || wanted < length / Tolerance ? Math.Pow(2, Math.Round(Math.Log2(wanted))) : length;
}
