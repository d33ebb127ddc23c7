namespace Stout.Pacing;

/// <summary>
/// How far the queue is from the one aimed at: 0 there, 1 from three times as much on, and down to −1 without a queue. In proportion between, so that
/// a queue that comes and goes counts by its mean: lanes that see different parts of one queue, some in every answer and some in one of ten,
/// come to the same interval.
/// </summary>
internal static class Excess
{
    /// <summary>No queue is so long that it counts for more.</summary>
    public const double Most = 1;

    private const double ForTwice = 0.5;

    // What lies below counts for more than what lies above: single answers are late, none is early. The more so, the more requests are in flight:
    // where the keys' own time varies with the size of the batch, queue and target grow with the interval alike, and something must bring it back.
    private const double LeastLean = 1.25;
    private const double MostLean = 2;
    private const double LeanEach = 1.0 / 3;

    /// <param name="queue">The queueing delay.</param>
    /// <param name="target">The one aimed at; more than 0.</param>
    /// <param name="inFlight">The requests that an interval as it is keeps in flight on an idle store.</param>
    public static double Of(double queue, double target, double inFlight)
    {
        var excess = ForTwice * ((queue / target) - 1);
        return excess < 0 ? excess * Math.Clamp(LeanEach * inFlight, LeastLean, MostLean) : Math.Min(excess, Most);
    }
}
