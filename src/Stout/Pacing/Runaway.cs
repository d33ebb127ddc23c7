namespace Stout.Pacing;

/// <summary>
/// Tells a queue that runs away from a pause of the store. Both make answers late by multiples. But what was under way together when the store paused is late
/// together, each by less than the one that left before it, and by the time it tells the store is back: to lengthen the interval then, once for each of them,
/// is to make callers wait for what is over. So those count that have left since the first of them was answered, or took longer than that: the queue still grows.
/// </summary>
internal struct Runaway()
{
    // A queue this many times deeper than interval and idle latency together, in most of the last answers, is no fluctuation.
    private const double Factor = 4;

    private double _since = double.PositiveInfinity;
    private double _latency;

    /// <summary>Takes in an answer; returns whether it shows a queue that runs away.</summary>
    /// <param name="now">When it came, in milliseconds.</param>
    /// <param name="sentAt">When its request left, in milliseconds.</param>
    /// <param name="latency">What it took, in milliseconds.</param>
    /// <param name="delay">The queueing delay of most of the last answers, in milliseconds.</param>
    /// <param name="usual">Interval and idle latency together, in milliseconds.</param>
    public bool Shows(double now, double sentAt, double latency, double delay, double usual)
    {
        if (!(delay > Factor * usual))
        {
            this = new Runaway();
            return false;
        }

        if (_since == double.PositiveInfinity)
            (_since, _latency) = (now, latency);
        return sentAt >= _since || latency > _latency;
    }
}
