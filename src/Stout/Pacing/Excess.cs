namespace Stout.Pacing;

/// <summary>
/// How far the queue is from the one aimed at: 0 there, 1 from three times as much on, and down to −½ without a queue. In proportion between, so that
/// a queue that comes and goes counts by its mean: lanes that see different parts of one queue, some in every answer and some in one of ten,
/// come to the same interval.
/// </summary>
internal static class Excess
{
    /// <summary>No queue is so long that it counts for more.</summary>
    public const double Most = 1;

    private const double ForTwice = 0.5;

    /// <param name="queue">The queueing delay.</param>
    /// <param name="target">The one aimed at; more than 0.</param>
    public static double Of(double queue, double target) => Math.Min(ForTwice * ((queue / target) - 1), Most);
}
