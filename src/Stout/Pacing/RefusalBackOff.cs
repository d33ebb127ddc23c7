namespace Stout.Pacing;

/// <summary>
/// A store that caps the rate refuses instead of queueing: its latency says nothing, its refusals do. Each round of refusals lengthens
/// the interval by a factor; answers shorten it again, to find out whether the cap has risen: slowly, for most of that ends in another refusal,
/// and faster the longer nothing is refused. And it halves the batches: where others send small ones, a large one would be refused again and
/// again, and its lane starve. Where nothing at all was answered for a while it was an outage and no cap, and counts as one refusal.
/// </summary>
internal sealed class RefusalBackOff(double mostMilliseconds)
{
    private const double Factor = 1.2;
    private const double Relief = 1.0 / 4096;
    private const double MostRelief = 0.1;
    private const double Growth = 1.0 / 2048;

    // After so long without a refusal relief is twice as fast, after three times as long ten times.
    private const double PatienceTime = 60_000;

    // After so long without one they are history.
    private const double Memory = 10 * PatienceTime;

    // A cap lets something through in each second, as soon as a few halvings have made batches small enough.
    private const int OutageRounds = 5;
    private const double OutageTime = 1_000;

    // Below it an interval means nothing to a store that refuses by the second.
    private const double Least = 1;

    private double _lastRefusalAt = double.NegativeInfinity;

    // Batches have no end until one is refused.
    private double _keys = int.MaxValue;

    // The rounds of refusals since the last answer, and what was when they began.
    private int _rounds;
    private double _refusedSince;
    private double _keysBefore;
    private double _intervalAfterOne;

    // A cap that takes many halvings to fit looks like an outage. So the next time no more comes back than half of what was refused first, or came back before.
    private double _keysAfterOutage = int.MaxValue;
    private double _keysRefusedFirst;

    /// <summary>The most keys in one request.</summary>
    public int MaxBatchKeys => (int)_keys;

    /// <summary>The least interval, in milliseconds; 0 while nothing is refused.</summary>
    public double Interval { get; private set; }

    /// <summary>A request was refused.</summary>
    /// <param name="request">The request; what was read says nothing of how much can be written at once.</param>
    /// <param name="interval">The law's interval otherwise.</param>
    public void Refused(in StoreRequest request, double interval)
    {
        var now = request.AnsweredAt.TotalMilliseconds;
        // What was under way together is refused together: that is one refusal.
        var isNewRound = request.SentAt.TotalMilliseconds >= _lastRefusalAt;
        if (isNewRound)
            (_lastRefusalAt, Interval) = (now, Math.Min(Factor * Math.Max(Math.Max(Interval, interval), Least), mostMilliseconds));
        if (_rounds == 0)
            (_refusedSince, _keysBefore, _keysRefusedFirst, _intervalAfterOne) = (now, _keys, request.Operations, Interval);
        if (isNewRound || _rounds == 0)
            _rounds++;
        if (request.Kind == StoreRequestKind.Write)
            _keys = Math.Max(1, Math.Min(_keys, request.Operations / 2.0));
    }

    /// <summary>A write was answered.</summary>
    public void Answered(double now)
    {
        if (now - _lastRefusalAt > Memory)
            (_keys, _keysAfterOutage, Interval) = (int.MaxValue, int.MaxValue, 0);
        else if (_rounds >= OutageRounds && now - _refusedSince >= OutageTime)
            EndOutage();
        _rounds = 0;
        _keys = Math.Min(int.MaxValue, _keys * (1 + Growth));
        if (Interval == 0)
            return;
        var patience = (now - _lastRefusalAt) / PatienceTime;
        Interval *= 1 - Math.Min(MostRelief, Relief * (1 + (patience * patience)));
        if (Interval < Least)
            Interval = 0;
    }

    private void EndOutage()
    {
        (_keys, Interval) = (Math.Min(_keysBefore, _keysAfterOutage), _intervalAfterOne);
        _keysAfterOutage = Math.Max(1, Math.Min(_keys, _keysRefusedFirst) / 2);
    }
}
