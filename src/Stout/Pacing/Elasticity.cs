namespace Stout.Pacing;

/// <summary>
/// Tells a slower store from a queue. All lanes of a store meet the same queue and slow down together, so a queue of theirs drains; if
/// batches leave much more seldom than when the delay appeared, and it stays as it was for longer than the smallest drain would take to
/// show, there is no such queue, and the store is what has changed.
/// </summary>
internal struct Elasticity()
{
    // So much more seldom that chance does not make it of an unsteady application.
    private const double SlowedDown = 6;

    // Several lanes before a store that has become much slower come to little more than that, and find out one after the other. What a log's patience makes of requests that have become
    // seldom is no such multiple of the idle latency.
    private const double SlowedDownFarBehind = 4;
    private const double FarBehind = 4;

    // Many lanes before it all come to the longest interval. There a queue may stand for good, for they can't slow down any more, and who took it for the store's own would come
    // back from there and make it longer.
    private const double SlowedDownAtLongest = 8;

    // In ten times its own length a queue falls below this share of itself, if but a sixtieth of the store's time is left to drain it.
    private const double Lengths = 10;
    private const double Fallen = 0.85;

    // Longer than the averages behind queue and spacing remember.
    private const int Answers = 8;

    // Until the other lanes have found it out too, and let the store run empty.
    private const int AnswersToKnow = 8;

    private double _spacing;
    private double _queue;
    private double _since = double.NaN;
    private int _answers;
    private int _unknownFor;

    /// <summary>
    /// Whether the store has just been found to be another one. What the lane sees then still has in it what the others, who are yet to find out, have made of the queue that is
    /// none: it is no reason to send more often.
    /// </summary>
    public readonly bool IsStoreUnknown => _unknownFor > 0;

    /// <summary>Takes in one answer; returns whether the delay is no queue.</summary>
    /// <param name="now">When the answer came.</param>
    /// <param name="queue">The mean queueing delay.</param>
    /// <param name="target">The one aimed at.</param>
    /// <param name="idle">The idle latency.</param>
    /// <param name="spacing">The mean time between batches.</param>
    /// <param name="isNearLongest">Whether the interval is near the longest that it may be.</param>
    public bool IsMissing(double now, double queue, double target, double idle, double spacing, bool isNearLongest)
    {
        _unknownFor = Math.Max(0, _unknownFor - 1);
        if (queue < target || _spacing == 0)
        {
            _spacing = spacing;
            _since = double.NaN;
        }
        else if (spacing < SlowingToTell(queue, idle, isNearLongest) * _spacing)
        {
            _since = double.NaN;
        }
        else if (double.IsNaN(_since) || queue < Fallen * _queue)
        {
            (_since, _queue, _answers) = (now, queue, 0);
        }
        else if (++_answers >= Answers && now - _since > Lengths * _queue)
        {
            this = new Elasticity { _unknownFor = AnswersToKnow };
            return true;
        }

        return false;
    }

    private static double SlowingToTell(double queue, double idle, bool isNearLongest)
    {
        if (isNearLongest)
            return SlowedDownAtLongest;
        return queue > FarBehind * idle ? SlowedDownFarBehind : SlowedDown;
    }
}
