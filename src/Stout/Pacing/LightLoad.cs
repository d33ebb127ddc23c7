namespace Stout.Pacing;

/// <summary>
/// How many requests in flight a lane's load can need. By Little's law it has rate × latency of them under way in the mean, and hardly ever more than one and a
/// multiple of that. Where there are more the store has stopped or become slower; whatever else leaves is behind them, and in the lane more would join it. A lane with
/// next to no interval, for it has little to send, is bounded by nothing else: many such lanes could leave a queue of seconds in a store that has become slower before any of
/// them has an answer to tell it.
/// </summary>
internal static class LightLoad
{
    private const double Multiple = 8;

    /// <param name="idle">The idle latency, in milliseconds.</param>
    /// <param name="departures">The mean time between batches, in milliseconds; 0 where it is not known.</param>
    /// <returns>More than 1; infinity where nothing is known.</returns>
    public static double MostInFlight(double idle, double departures) => departures > 0 ? 1 + (Multiple * idle / departures) : double.PositiveInfinity;
}
