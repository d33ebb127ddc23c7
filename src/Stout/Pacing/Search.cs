namespace Stout.Pacing;

/// <summary>
/// Finds the queue worth aiming at by what callers feel: half the interval in the lane, and the latency. Interval and target swing a little, all
/// lanes' at the same time (<see cref="Swing"/>); where callers wait longer while the interval is longer, it is too long, and the queue
/// aimed at grows. It is extremum seeking, with the swing as the instrument: what the law itself does to the interval meanwhile does not matter.
/// What looks like a queue and does not fall with a longer interval (service times that vary, others' load) is found out by that.
/// </summary>
/// <param name="widest">How far the interval swings at most either way, as a natural logarithm.</param>
/// <param name="longestInterval">The longest interval that the lane may have, in milliseconds.</param>
internal sealed class Search(double widest, double longestInterval)
{
    // The target swings the other way: the interval's answer to that is large where the queue says little, and small where it is steep.
    private const double TargetSwing = 2;

    // How far the right factor's logarithm is thought to move from one pattern to the next. A slope is followed the further, the less its
    // standard error is against that (a steady Kalman filter, nearly).
    private const double Drift = 0.06;

    // Lanes can trade: one waits longer, another less, and their queue stays as it was. Each one's own wait is all that is against it, hardly more
    // than chance, which would take them far apart; so what the slopes don't confirm is forgotten.
    private const double Memory = 30_000;

    // What is steeper is chance mostly, or a store at its limit, where every step goes the same way.
    private const double Steepest = 1.5;

    // Swinging costs something: where the slope is plainer to see than by this standard error, less of it will do. The shorter the interval is against
    // the latency, the less it costs, and the more of it pays.
    private const double SureEnough = 0.8;
    private const double CostsAllFrom = 4;
    private const double LeastCost = 0.2;
    private const double LeastShare = 0.3;

    // Whose interval was none for so long begins with a narrow swing. All lanes come from none when their store becomes much slower, and to an interval near what it just keeps up
    // with: there the shorter half of a wide swing leaves a queue behind.
    private const double LongPause = 10_000;

    // At the longest interval it could only swing to a shorter one, which the store may not bear there. This much costs nothing, and can still be measured.
    private const double LeastRoom = 0.0075;

    private const double MostFactor = 4;

    // Each lane has an interval of its own, but all have one latency: where that sets the length of a pattern they agree, and those which rest
    // at a shorter interval see what all do, not what they do alone.
    private const double Latencies = 2;

    private const long None = -1;

    // Fewer answers show nothing.
    private const int LeastAnswers = 3;

    // One pause of the store, or of the process, is no cost of an interval.
    private const double MostOverMean = 4;

    private Swing _pattern = new();
    private Ewma _latency = new(1.0 / 16);
    private CostSums _longer;
    private CostSums _shorter;
    private long _number = None;
    private double _logFactor;
    private double _share = 1;
    private double _pausedSince = double.NaN;
    private double _most = double.PositiveInfinity;

    private double Reach => Math.Min(_share * widest, _most);

    /// <summary>What the queue aimed at is to be multiplied with.</summary>
    public double Factor => Math.Exp(_logFactor);

    /// <summary>The factor of the interval at a time, in milliseconds.</summary>
    public double IntervalSwingAt(double time) => Math.Exp(Reach * _pattern.SignAt(time));

    /// <summary>The factor of the queue aimed at, at a time.</summary>
    public double TargetSwingAt(double time) => Math.Exp(-TargetSwing * Reach * _pattern.SignAt(time));

    /// <summary>The factor of the interval while it is the shorter one.</summary>
    public double ShorterInterval => Math.Exp(-Reach);

    /// <summary>The factor of the queue aimed at while the interval is the shorter one.</summary>
    public double ShorterTarget => Math.Exp(TargetSwing * Reach);

    /// <summary>The interval does not swing: what is answered meanwhile shows nothing.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public void Pause(double now)
    {
        _number = None;
        if (double.IsNaN(_pausedSince))
            _pausedSince = now;
    }

    /// <summary>Takes in an answered write.</summary>
    /// <param name="request">The request.</param>
    /// <param name="latency">Its latency, in milliseconds, within bounds.</param>
    /// <param name="passed">The time that had passed since the batch before it, in milliseconds, within bounds.</param>
    /// <param name="interval">The interval that the law is at, in milliseconds.</param>
    /// <param name="swung">What the swing makes of it at the time when the request left.</param>
    /// <param name="isShortest">Whether the interval can't be shorter, whatever queue is aimed at.</param>
    public void Add(in StoreRequest request, double latency, double passed, double interval, double swung, bool isShortest)
    {
        // At once: a pattern lasts seconds, in which an interval that has become long would swing as far as a short one may.
        _most = Math.Min(Swing.ShareOfUse(interval) * widest, Math.Max(LeastRoom, Math.Log(longestInterval / interval)));
        var now = request.AnsweredAt.TotalMilliseconds;
        if (now - _pausedSince >= LongPause)
            _share = LeastShare;
        _pausedSince = double.NaN;
        if (_number != _pattern.PatternAt(now))
        {
            if (_number != None)
                Conclude(interval, isShortest);
            _pattern.Fit(Math.Max(interval, Latencies * _latency.Value));
            _number = _pattern.PatternAt(now);
            (_longer, _shorter) = (default, default);
        }

        var bounded = _latency.AddBounded(latency, MostOverMean);
        var sentAt = request.SentAt.TotalMilliseconds;
        if (_pattern.PatternAt(sentAt) != _number || !_pattern.IsSettledAt(sentAt))
            return;
        // Without anything to send there is nobody who waits.
        var wait = request.ApplicationLimited ? 0 : Math.Min(passed, (MostOverMean * interval) + _latency.Value) / 2;
        ref var sums = ref _pattern.SignAt(sentAt) > 0 ? ref _longer : ref _shorter;
        sums.Add(Math.Max(1, request.Operations), wait + bounded, Math.Log(swung));
    }

    private void Conclude(double interval, bool isShortest)
    {
        if (Math.Min(_longer.Answers, _shorter.Answers) < LeastAnswers)
            return;
        var cost = (_longer.MeanCost + _shorter.MeanCost) / 2;
        var distance = Math.Max(_longer.MeanLogInterval - _shorter.MeanLogInterval, Reach);
        var slope = (_longer.MeanCost - _shorter.MeanCost) / distance / cost;
        // Requests under way together share their fate: no more than one in a latency says something of its own.
        var most = 2 * _pattern.Settled / _latency.Value;
        var error = Math.Sqrt(_longer.MeanVariance(most) + _shorter.MeanVariance(most)) / distance / cost;
        var kept = Math.Exp(-_pattern.Length / Memory);
        // Where the interval is as short as it may be, a longer queue to aim at changes nothing, and would grow without end.
        var followed = Drift / (Drift + error) * Math.Clamp(slope, -Steepest, isShortest ? 0 : Steepest);
        _logFactor = Math.Clamp((kept * _logFactor) + followed, -MostFactor, MostFactor);
        var swingCost = Math.Clamp(interval / _latency.Value / CostsAllFrom, LeastCost, 1);
        _share = Math.Clamp(_share * Math.Sqrt(error / (swingCost * SureEnough)), LeastShare, 1);
    }

    // Sums over the answers of the two quarters that point one way; each write counts once.
    private struct CostSums
    {
        private double _writes;
        private double _costs;
        private double _squares;
        private double _logIntervals;

        public int Answers { get; private set; }

        public readonly double MeanCost => _costs / _writes;

        public readonly double MeanLogInterval => _logIntervals / _writes;

        public readonly double MeanVariance(double mostAnswers)
            => Math.Max(0, (_squares / _writes) - (MeanCost * MeanCost)) / Math.Max(1, Math.Min(Answers, mostAnswers));

        public void Add(int writes, double cost, double logInterval)
        {
            Answers++;
            _writes += writes;
            _costs += writes * cost;
            _squares += writes * cost * cost;
            _logIntervals += writes * logInterval;
        }
    }
}
