namespace Stout.Pacing;

/// <summary>
/// A store that caps the rate refuses instead of queueing: its latency says nothing, its refusals do. Each round of refusals lengthens
/// the interval by a factor; answers shorten it again, to find out whether the cap has risen: slowly, for most of that ends in another refusal,
/// and faster the longer nothing is refused. And it halves the batches: where others send small ones, a large one would be refused again and
/// again, and its lane starve.
/// </summary>
internal sealed class RefusalBackOff(double mostMilliseconds)
{
    private const double Factor = 1.2;
    private const double Relief = 1.0 / 4096;
    private const double MostRelief = 0.1;
    private const double Growth = 1.0 / 2048;

    // After so long without a refusal relief is twice as fast, after three times as long ten times.
    private const double PatienceTime = 60_000;

    // Below it an interval means nothing to a store that refuses by the second.
    private const double Least = 1;

    private double _lastRefusalAt = double.NegativeInfinity;

    // Batches have no end until one is refused.
    private double _keys = int.MaxValue;

    /// <summary>The most keys in one request.</summary>
    public int MaxBatchKeys => (int)_keys;

    /// <summary>The least interval, in milliseconds; 0 while nothing is refused.</summary>
    public double Interval { get; private set; }

    /// <summary>A request was refused.</summary>
    /// <param name="request">The request; what was read says nothing of how much can be written at once.</param>
    /// <param name="interval">The law's interval otherwise.</param>
    public void Refused(in StoreRequest request, double interval)
    {
        if (request.Kind == StoreRequestKind.Write)
            _keys = Math.Max(1, Math.Min(_keys, request.Operations / 2.0));
        // What was under way together is refused together: that is one refusal.
        if (request.SentAt.TotalMilliseconds < _lastRefusalAt)
            return;
        _lastRefusalAt = request.AnsweredAt.TotalMilliseconds;
        Interval = Math.Min(Factor * Math.Max(Math.Max(Interval, interval), Least), mostMilliseconds);
    }

    /// <summary>A write was answered.</summary>
    public void Answered(double now)
    {
        _keys = Math.Min(int.MaxValue, _keys * (1 + Growth));
        if (Interval == 0)
            return;
        var patience = (now - _lastRefusalAt) / PatienceTime;
        Interval *= 1 - Math.Min(MostRelief, Relief * (1 + (patience * patience)));
        if (Interval < Least)
            Interval = 0;
    }
}
