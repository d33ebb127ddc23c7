namespace Stout.Pacing;

/// <summary>
/// A store that caps the rate refuses instead of queueing: its latency says nothing, its refusals do. Each round of refusals lengthens
/// the interval by a factor; answers shorten it again, slowly, to find out whether the cap has risen. And it halves the batches: where others
/// send small ones, a large one would be refused again and again, and its lane starve.
/// </summary>
internal sealed class RefusalBackOff(double mostMilliseconds)
{
    private const double Factor = 1.5;

    // A cap goes on after an answer. A server that died and answers again is back.
    private const double Relief = 1.0 / 512;
    private const double ReliefAfterUnknown = 1.0 / 4;

    // Below it an interval means nothing to a store that refuses by the second.
    private const double Least = 1;

    private double _lastRefusalAt = double.NegativeInfinity;
    private double _relief = Relief;

    // Batches have no end until one is refused.
    private double _keys = int.MaxValue;

    /// <summary>The most keys in one request.</summary>
    public int MaxBatchKeys => (int)_keys;

    /// <summary>The least interval, in milliseconds; 0 while nothing is refused.</summary>
    public double Interval { get; private set; }

    /// <summary>A request was refused, or its outcome is unknown.</summary>
    /// <param name="sentAt">When it was sent.</param>
    /// <param name="answeredAt">When it ended.</param>
    /// <param name="interval">The law's interval otherwise.</param>
    /// <param name="refused">The keys that were refused for overload; 0 where the outcome is unknown: a server that dies does not do so for their number.</param>
    public void Refused(double sentAt, double answeredAt, double interval, double refused)
    {
        _relief = refused > 0 ? Relief : ReliefAfterUnknown;
        if (refused > 0)
            _keys = Math.Max(1, Math.Min(_keys, refused / 2));
        // What was under way together is refused together: that is one refusal.
        if (sentAt < _lastRefusalAt)
            return;
        _lastRefusalAt = answeredAt;
        Interval = Math.Min(Factor * Math.Max(Math.Max(Interval, interval), Least), mostMilliseconds);
    }

    public void Answered()
    {
        _keys = Math.Min(int.MaxValue, _keys * (1 + Relief));
        Interval *= 1 - _relief;
        if (Interval < Least)
            Interval = 0;
    }
}
