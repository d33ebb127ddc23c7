namespace Stout.Pacing;

/// <summary>
/// The default law. It steers the batching interval so that the queueing delay of a write request (its latency less the base latency, which
/// an idle store would take) meets a target: ½ √(base latency × interval). See docs/pacing.md.
/// </summary>
public sealed class DelayLaw : IPacingLaw
{
    // Times are in milliseconds. docs/pacing.md says where each constant was measured.
    private const double DelayFactor = 0.5;            // target over √(base latency × interval): the optimum of N lanes at one server
    private const double Gain = 0.1;                   // bounds the change of ln(interval) by one answer
    private const double MaxDecrease = 0.3;            // bounds what a decrease uses of it: noise shortens as often as it lengthens
    private const double PerAnswerInterval = 20;       // from here on decreases without a queue grow with the interval: answers are fewer
    private const double JumpDivisor = 3;              // a delay of so many targets lengthens the interval at once
    private const double InitialLatencies = 24;         // bounds a backlog's first interval, in startup's lowest latencies
    private const int StartupInFlight = 2;             // bounds what an unknown store gets; a sequential writer never fills two
    private const double BacklogShare = 0.7;           // share of them that is taken in the mean where the lane has a backlog
    private const double FullRequest = 40;             // bounds keys: a request whose keys cost so many fixed costs gains little more
    private const double StaleLatencies = 8;           // bounds an interval without a queue: above so many latencies it is halved
    private const double SlowdownFactor = 4;           // the store is slower if a queue stands at so many times the spacing
    private const double RelearnTime = 700;            // for this long: other lanes need the time to slow down too
    private const double RefusalFactor = 1.2;          // lengthens the interval by a refusal
    private const double RefusalRecovery = 1.0 / 2048; // bounds how quickly that relaxes with each answer
    private const double Minute = 60_000;              // bounds latencies and intervals that count; time scale of recovery
    private const int MedianOf = 5;                    // delays in the median: one late answer is no queue
    private const int DeparturesOfFill = 32;           // departures in the means that tell when keys come
    private const int DeparturesOfDoubt = 1024;        // departures without a wait after which these means count little
    private const double LeastWait = 0.125;            // share of the spacing: a shorter wait does not tell when keys come
    private const double LeastFill = 0.5;              // bounds lengthening: keys come so late in a wait, 1 if evenly

    private readonly double[] _delays = new double[MedianOf];
    private readonly double _maxInterval;
    private readonly int _mostInFlight;
    private BaseLatency _base = new();
    private PacingPhase _phase;
    private (int Answers, double Latency, double Spacing, double Lowest) _startup = (0, 0, 0, double.PositiveInfinity);
    private (double Start, double Latency, double Sum, int Early, int Late) _step = (0, double.PositiveInfinity, 0, 0, 0);
    private (double Late, double Evenly) _fill;
    private (int Answers, double Since) _standing;
    private int _delayCount, _nextDelay, _relearnLeft;
    private double _interval, _spacing, _spacingBeforeQueue;
    private double _refusalInterval, _refusalKeys = int.MaxValue, _refusedAt = double.NegativeInfinity;
    private double _epochStart = double.NegativeInfinity;

    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public DelayLaw(DelayLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        parameters.Validate();
        _maxInterval = parameters.MaxIntervalMilliseconds;
        _mostInFlight = parameters.MaxInFlight;
        _interval = Math.Min(parameters.InitialIntervalMilliseconds ?? 0, _maxInterval);
        _phase = parameters.InitialIntervalMilliseconds is null ? PacingPhase.Startup : PacingPhase.Descending;
        MaxInFlight = Math.Min(StartupInFlight, _mostInFlight);
    }

    /// <inheritdoc/>
    public PacingPhase Phase => _refusalInterval > _interval ? PacingPhase.Refused : _phase;

    /// <inheritdoc/>
    public TimeSpan Interval => Math.Max(_interval, _refusalInterval) is >= 0.5 and var ms ? TimeSpan.FromMilliseconds(ms) : TimeSpan.Zero;

    /// <inheritdoc/>
    public int MaxInFlight { get; private set; }

    /// <inheritdoc/>
    public int MaxBatchKeys => _phase switch
    {
        // The first requests carry one key each, so that the cost per key can be told from the fixed cost.
        PacingPhase.Startup when _startup.Answers == 0 => 1,
        PacingPhase.Steady or PacingPhase.Relearning => (int)Math.Min(_refusalKeys, _base.KeysOfFullRequest(FullRequest)),
        _ => (int)_refusalKeys,
    };

    /// <inheritdoc/>
    /// <remarks>Reads leave at once, as many as <see cref="MaxInFlight"/> allows: a caller waits for each, and few collapse.</remarks>
    public bool PacesReads => false;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
        var passed = Math.Clamp(departure.Interval.TotalMilliseconds, 1 / Minute, Minute);
        var waited = Math.Min(departure.Waited.TotalMilliseconds, passed);
        var evenly = departure.Keys * waited * waited / passed;
        // While a backlog drains, many keys have come before. A departure that waited for the application says nothing either.
        if (_phase != PacingPhase.Steady)
            _fill = default;
        else if (departure.ApplicationLimited || waited < LeastWait * passed)
            _fill.Late += (_fill.Evenly - _fill.Late) / DeparturesOfDoubt;
        else if (_fill.Evenly == 0)
            _fill = (evenly, evenly);
        else
            _fill = (
                _fill.Late + (((2 * departure.Keys * departure.MeanArrival.TotalMilliseconds) - _fill.Late) / DeparturesOfFill),
                _fill.Evenly + ((evenly - _fill.Evenly) / DeparturesOfFill));
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request)
    {
        var now = request.AnsweredAt.TotalMilliseconds;
        var sentAt = request.SentAt.TotalMilliseconds;
        if (request.Outcome == StoreRequestOutcome.Overloaded)
            LimitByRefusal(now, sentAt, request.Operations);
        // Requests in flight together fail together: one restart is enough for all of them.
        if (sentAt < _epochStart)
            return;
        if (request.Outcome is StoreRequestOutcome.Unknown or StoreRequestOutcome.Unreachable)
            Restart(now);
        if (request.Outcome != StoreRequestOutcome.Answered || request.Kind != StoreRequestKind.Write)
            return;
        RelaxRefusalLimits(now);
        // The first answer's latency may include the set-up of a connection.
        if (_phase == PacingPhase.Startup && _startup.Answers++ == 0)
            return;
        var latency = Math.Clamp(request.Latency.TotalMilliseconds, 1 / Minute, Minute);
        var passed = Math.Clamp(request.Interval.TotalMilliseconds, 0, Minute);
        var keys = Math.Max(1, request.Operations);
        // One pause says little of how often batches leave.
        _spacing = _spacing == 0 ? passed : _spacing + ((Math.Min(passed, (2 * _spacing) + 1) - _spacing) / BaseLatency.BlockRequests);
        var isBrief = _phase is PacingPhase.Descending or PacingPhase.Relearning;
        _base.Add(now, latency, keys, isBrief, Math.Max(_interval, _spacing));
        if (_phase == PacingPhase.Startup)
            ObserveStartup(now, latency, passed);
        else
            Steer(now, sentAt, latency, keys);
    }

    // By Little's law the mean number of requests in flight is latency over spacing: one of a sequential writer, all places with a backlog.
    private void ObserveStartup(double now, double latency, double passed)
    {
        _startup.Latency += latency;
        _startup.Spacing += passed;
        _startup.Lowest = Math.Min(_startup.Lowest, latency);
        var hasBacklog = _startup.Latency > BacklogShare * StartupInFlight * _startup.Spacing;
        if (_startup.Answers <= (hasBacklog ? BaseLatency.BlockRequests / 2 : 2 * BaseLatency.BlockRequests))
            return;
        _phase = hasBacklog ? PacingPhase.Draining : PacingPhase.Steady;
        _step = (now, double.PositiveInfinity, 0, 0, 0);
        _interval = hasBacklog ? Math.Min(_maxInterval, InitialLatencies * _startup.Lowest) : 0;
        MaxInFlight = hasBacklog ? _mostInFlight : MaxInFlight;
    }

    private void Steer(double now, double sentAt, double latency, int keys)
    {
        var baseLatency = _base.Of(_base.MeanKeys);
        // By Little's law a shorter interval would need more requests in flight than are allowed.
        var minInterval = Math.Min(2 * baseLatency / _mostInFlight, _maxInterval);
        _interval = Math.Max(_interval, minInterval);
        var target = DelayFactor * Math.Sqrt(baseLatency * _interval);
        var delay = latency - _base.Of(keys);
        var median = MedianDelay(delay);
        if (_phase == PacingPhase.Draining)
            Drain(now, sentAt, latency);
        else if (_phase == PacingPhase.Descending)
            Descend(now, sentAt, latency, isLate: delay > target, isLarge: _base.Of(keys) > 2 * _base.Of(1));
        else
            Adjust(now, median, target, baseLatency, latency);
        _interval = Math.Clamp(_interval, minInterval, _maxInterval);
        if (_phase == PacingPhase.Descending && _interval <= minInterval)
            _phase = PacingPhase.Steady;
        // Twice what Little's law asks for: single answers take longer than the mean. A store that stops gets no more than that.
        var places = Math.Ceiling(2 * (baseLatency + target) / Math.Max(_interval, _spacing / 2));
        MaxInFlight = _phase is PacingPhase.Draining or PacingPhase.Descending ? _mostInFlight : (int)Math.Clamp(places, 1, _mostInFlight);
    }

    // A base latency measured while startup's queue drains would contain it: the way down begins when latencies fall no longer.
    // A queue that grows calls for a longer interval.
    private void Drain(double now, double sentAt, double latency)
    {
        if (sentAt < _step.Start)
            return;
        if (latency > 2 * _step.Latency && _interval < _maxInterval)
            (_interval, _step.Start) = (2 * _interval, now);
        else if (latency >= _step.Latency)
            _phase = PacingPhase.Descending;
        _step.Latency = latency;
    }

    // Two answers to requests sent under an interval decide. Large ones scatter: late are those that lose more than the wait gains.
    private void Descend(double now, double sentAt, double latency, bool isLate, bool isLarge)
    {
        if (sentAt < _step.Start)
            return;
        isLate &= !isLarge || latency > _step.Latency + (_interval / 2);
        if (isLate && ++_step.Late == 2)
            _phase = PacingPhase.Steady;
        _step.Sum += latency;
        if (isLate || ++_step.Early < 2)
            return;
        _interval /= 2;
        _step = (now, _step.Sum / (2 + _step.Late), 0, 0, 0);
    }

    private double MedianDelay(double delay)
    {
        _delays[_nextDelay] = delay;
        _nextDelay = (_nextDelay + 1) % MedianOf;
        _delayCount = Math.Min(_delayCount + 1, MedianOf);
        Span<double> sorted = stackalloc double[_delayCount];
        _delays.AsSpan(0, _delayCount).CopyTo(sorted);
        sorted.Sort();
        return sorted[(_delayCount - 1) / 2];
    }

    private void Adjust(double now, double delay, double target, double baseLatency, double latency)
    {
        // While relearning the interval does not fall: the requests of other lanes have to drain from the store first.
        var excess = Math.Clamp(((delay / target) - 1) / 2, _phase == PacingPhase.Relearning ? 0 : -MaxDecrease, 1);
        if (_phase == PacingPhase.Relearning && --_relearnLeft == 0)
            _phase = PacingPhase.Steady;
        // Writers that wait for their answers bring all keys at the beginning of a wait: the rest of it saves nothing.
        var isFutile = _fill.Late < LeastFill * _fill.Evenly;
        excess = isFutile ? -MaxDecrease : excess;
        // Departures that are further apart than the interval are not held back by it: then it need not grow.
        if (excess < 0 && _interval > (isFutile ? 1 : StaleLatencies) * Math.Max(latency, baseLatency))
            _interval /= 2;
        else if (excess < 0 || _interval < SlowdownFactor * _spacing)
            _interval *= Math.Exp(Step(excess, latency));
        if (excess == 1)
            _interval = Math.Max(_interval, Math.Min(_spacing / 2, Math.Pow(delay / (JumpDivisor * DelayFactor), 2) / baseLatency));
        NoteStandingQueue(now, stands: delay >= target);
    }

    // Of several requests in flight each tells a part: together they change the interval once in a latency.
    private double Step(double excess, double latency)
    {
        var quicker = excess == -MaxDecrease ? Math.Clamp(_interval / PerAnswerInterval, 1, SlowdownFactor) : 1;
        return Gain * quicker * excess * Math.Min(1, Math.Max(_interval, _spacing) / latency);
    }

    private void NoteStandingQueue(double now, bool stands)
    {
        if (!stands || _spacingBeforeQueue == 0)
            _spacingBeforeQueue = _spacing;
        var hasSlowedDown = stands && _spacing >= SlowdownFactor * _spacingBeforeQueue && _interval <= _maxInterval / 2;
        _standing = hasSlowedDown ? (_standing.Answers + 1, _standing.Answers == 0 ? now : _standing.Since) : (0, now);
        if (_standing.Answers > BaseLatency.BlockRequests && now - _standing.Since >= RelearnTime)
            Relearn();
    }

    private void Relearn()
    {
        _phase = PacingPhase.Relearning;
        _relearnLeft = BaseLatency.BlockRequests;
        _base = new BaseLatency();
        (_delayCount, _nextDelay, _spacingBeforeQueue, _standing) = (0, 0, 0, (0, 0));
    }

    private void Restart(double now)
    {
        Relearn();
        _phase = PacingPhase.Startup;
        _startup = (0, 0, 0, double.PositiveInfinity);
        (_interval, _spacing, _epochStart) = (0, 0, now);
        MaxInFlight = Math.Min(StartupInFlight, _mostInFlight);
    }

    // Requests that are refused together count once.
    private void LimitByRefusal(double now, double sentAt, int keys)
    {
        _refusalKeys = Math.Max(1, Math.Min(_refusalKeys, 0.5 * keys));
        if (sentAt < _refusedAt)
            return;
        _refusedAt = now;
        _refusalInterval = Math.Min(RefusalFactor * Math.Max(1, Math.Max(_refusalInterval, _interval)), Minute);
    }

    // The limits relax faster the longer nothing is refused.
    private void RelaxRefusalLimits(double now)
    {
        var minutes = (now - _refusedAt) / Minute;
        _refusalKeys = Math.Min(int.MaxValue, _refusalKeys * (1 + RefusalRecovery));
        _refusalInterval *= 1 - Math.Min(Gain, (1 + (minutes * minutes)) * RefusalRecovery / 2);
        if (_refusalInterval < 1)
            _refusalInterval = 0;
    }
}
