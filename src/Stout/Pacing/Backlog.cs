namespace Stout.Pacing;

/// <summary>
/// A queue in the store that is far longer than the interval, and what drains it. An interval that the store just keeps up with leaves it there for good, and each longer one
/// drains it by the little that it spares. So the lane's next batch leaves later by twice as much as its answer came late. All do so; a round of theirs takes the longer the
/// longer the queue is, and brings no more requests for that: in a few rounds it is gone, however slow the store has become. The time that a round takes is also the first that
/// is known of the interval which such a store needs.
/// </summary>
internal struct Backlog()
{
    // What is less the interval answers to; with two idle latencies a store that works on several at a time is not full yet; and a part of the interval hardly matters to who
    // waits for that.
    private const double Targets = 3;
    private const double IdleLatencies = 2;
    private const double ShareOfInterval = 0.25;

    // With once a round would take as long as the queue is, and leave it where it is.
    private const double Factor = 2;

    // A system's timers ring a millisecond late: less is no wait that they could keep.
    private const double Least = 0.5;

    // Longer than a pause takes to tell; and for a while after, for the lanes of a store see a queue that comes and goes at different times.
    private const double StandsAfter = 300;
    private const double Memory = 500;

    // The longest wait, in longest intervals.
    private const double MostIntervals = 2;

    private double _since = double.PositiveInfinity;
    private double _standsUntil = double.NegativeInfinity;

    /// <summary>The time from the last departure to the next, in milliseconds; 0 where nothing is to drain.</summary>
    public double Interval { get; private set; }

    /// <summary>Whether there is such a queue.</summary>
    public readonly bool IsThere => _since < double.PositiveInfinity;

    /// <summary>Takes in one answer.</summary>
    /// <param name="now">When it came, in milliseconds.</param>
    /// <param name="sentAt">When the request left.</param>
    /// <param name="delay">How much later it came than on the idle store.</param>
    /// <param name="typicalDelay">The same of the last few in the middle; infinity while there are too few.</param>
    /// <param name="target">The queue aimed at.</param>
    /// <param name="idle">The idle latency.</param>
    /// <param name="isFar">Whether the mean queue is as far above it as counts.</param>
    /// <param name="interval">The lane's interval.</param>
    /// <param name="longestInterval">The longest that it may be.</param>
    public void Add(double now, double sentAt, double delay, double typicalDelay, double target, double idle, bool isFar, double interval, double longestInterval)
    {
        var bearable = Math.Max(Math.Max(Targets * target, IdleLatencies * idle), ShareOfInterval * interval);
        var late = Math.Min(delay, typicalDelay) - bearable;
        if (!isFar || typicalDelay <= Math.Max(bearable, Least) || (!IsThere && late <= 0))
        {
            (_since, Interval) = (double.PositiveInfinity, 0);
            return;
        }

        _since = Math.Min(_since, now);
        if (now - _since >= StandsAfter)
            _standsUntil = now + Memory;
        // What was under way together when the store paused is late together, and the store is back by the time it tells.
        Interval = late > 0 && sentAt >= _since ? Math.Min(interval + (Factor * late), MostIntervals * longestInterval) : 0;
    }

    /// <summary>Whether the queue has been there for long enough to be none that goes away by itself.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public readonly bool StandsAt(double now) => now < _standsUntil;
}
