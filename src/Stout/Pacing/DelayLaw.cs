namespace Stout.Pacing;

/// <summary>
/// The default law: it steers the interval so that the queueing delay its requests meet in the store is in proportion to
/// √(idle latency × interval), and to more where requests are mostly keys. On an idle store the delay is none, the interval falls to nothing
/// and every write leaves at once; all clients of a store meet the same queue, so all come to the same interval. Nor is any shorter, or much
/// longer, than the shortest at which the store keeps up, which all try together now and then. Who had to wait for others there sends a little later
/// the next time; where it has fallen far behind each waits longer until that is gone; before a store that is full no more is under way than it works on, and full requests
/// leave as soon as the lane is answered; and now and then all let it run empty, to see what it takes then.
/// docs/pacing.md says what to expect, docs/pacing/why.md has the reasons.
/// </summary>
public sealed class DelayLaw : IPacingLaw
{
    // A system's timers ring a millisecond late: what they can't keep is not asked of them.
    private const double ShortestKept = 0.5;

    private const double LongestLatency = 60_000;

    // One pause says little of how often batches leave.
    private const double MostLonger = 2;

    // The queue adds up what is sent too much, and the interval adds up the queue: together they would swing. So the interval answers to
    // the change of the excess too, which leaves the point where it rests as it was. Not while the store is hardly known: swings drain a
    // queue that nobody has seen the store without.
    private const double Damping = 0.5;
    private const double LearningTime = 20_000;

    // Waiting longer than a few departures are apart changes nothing for an application that offers so little.
    private const double MostDepartures = 4;

    // The rounds in which a queue drains take longer than the interval that the store keeps up with, but no multiple of it.
    private const double ShareOfRound = 0.5;

    // Where such a queue stands all look at once what the store keeps up with, but not near the longest interval: there is nothing to bound.
    private const double UrgentShare = 0.5;

    // Lanes whose interval is as long as that can hardly slow down any more.
    private const double NearLongest = 0.75;

    // An interval this many times the latency comes from some past trouble (it would take hundreds of clients to be right); half as many times,
    // where none of the last answers met a third of the queue aimed at.
    private const double StaleFactor = 16;
    private const double StaleFactorUnqueued = 8;
    private const double Unqueued = 1.0 / 3;
    private const double StaleStep = -0.5;

    // A lane that is alone comes back from too long an interval at half the pace of an ordinary step, unless a queue of half the interval shows.
    private const double AloneStep = -0.5;
    private const double QueueInCompany = 0.5;

    // With half the interval a batch's keys are half as many, and what it takes with one is paid twice: at most that share of the load more.
    private const double ShareSaved = 1.0 / 16;

    // Requests in flight scatter about their mean, the more the more there are.
    private const double InFlightSlack = 0.25;

    // And latencies scatter: at the shortest interval so large a share of the places is taken that the bound seldom holds anything back.
    private const double ShareTaken = 2.0 / 3;

    // An interval that is held from below is back there after each answer, and a little above it before the next.
    private const double Nearly = 1.02;

    private readonly DelayLawParameters _parameters;
    private readonly IdleLatency _idle = new();
    private readonly Solitude _solitude = new();
    private readonly RefusalBackOff _refusals;
    private Descent _descent = new();
    private Elasticity _elasticity = new();
    private readonly LastFive _delays = new();
    private CriticalInterval _critical;
    private Backlog _backlog = new();
    private Ewma _queue = new(1.0 / 5);
    private Ewma _departures = new(1.0 / 8);
    private Search _search;
    private FullBatch _fullBatch;
    private FullStore _fullStore = new();
    private FullRequests _fullRequests = new();
    private QuietMoment _quiet = new();
    private Yield _yield;
    private int _waiting;
    private double _now;
    private double _sentAt;
    private double _begunAt = double.NegativeInfinity;
    private double _learnedAt;
    private double _excess;
    private double _interval;
    private double _typical;
    private double _target;
    private double _mostQueue;
    private int _maxInFlight = 1;

    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public DelayLaw(DelayLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        _parameters = parameters with { };
        _parameters.Validate();
        _refusals = new RefusalBackOff(_parameters.MaxRefusedIntervalMilliseconds);
        _critical = new CriticalInterval(_parameters.MaxInFlight);
        _search = NewSearch();
        _interval = InitialInterval;
    }

    // What a timer can't keep can't be changed a little either.
    private bool IsSwinging => _parameters.Swing > 0 && !_descent.IsUnderWay && _interval > ShortestKept;

    private bool IsQuiet => _quiet.IsAt(_now);

    private double LeastInterval => Math.Min(_typical / Math.Max(1, ShareTaken * _parameters.MaxInFlight), _parameters.MaxIntervalMilliseconds);

    private bool IsShortest => _interval <= Nearly * Math.Max(LeastInterval, _critical.ShortestInterval);

    private double InitialInterval => Math.Min(_parameters.InitialIntervalMilliseconds, _parameters.MaxIntervalMilliseconds);

    private bool IsNearLongest => _interval >= NearLongest * _parameters.MaxIntervalMilliseconds;

    private bool IsTrialUrgent => _backlog.StandsAt(_now) && _interval < UrgentShare * _parameters.MaxIntervalMilliseconds;

    // Who sends as soon as it is answered leaves no queue behind.
    private double Paced => _fullRequests.AreUsual
        ? _fullRequests.LeastInterval
        : Math.Max(Math.Min((IsSwinging ? SwungAt(_now) : _interval) + _yield.Next, _parameters.MaxIntervalMilliseconds), _backlog.Interval);

    private int KeysOfBacklog => _fullRequests.AreUsual ? _fullBatch.KeysOf(_waiting, _fullRequests.InFlight) : _fullBatch.KeysOf(_waiting);

    // What requests usually take is looked up only where the store is full.
    private double MostInFlight => _fullStore.IsFull ? _fullStore.MostInFlight(_idle.Usual(_idle.MeanSize, _quiet.OneKey)) : double.PositiveInfinity;

    /// <inheritdoc/>
    public TimeSpan Interval
    {
        get
        {
            var paced = IsQuiet ? _quiet.RestsUntil - _sentAt : HeldForQuiet(_critical.IsBackToBackAt(_now) ? 0 : Paced);
            var interval = Math.Max(Math.Min(paced, Math.Max(_parameters.MaxIntervalMilliseconds, _backlog.Interval) + QuietMoment.Longest), _refusals.Interval);
            return interval < ShortestKept ? TimeSpan.Zero : TimeSpan.FromMilliseconds(interval);
        }
    }

    /// <inheritdoc/>
    public int MaxInFlight => IsQuiet ? 1 : _critical.IsTriedAt(_now) ? _critical.Window : _fullRequests.AreUsual ? _fullRequests.InFlight : _maxInFlight;

    /// <inheritdoc/>
    /// <remarks>
    /// The first request carries one key: it shows what the store takes for nearly nothing, and the second what keys cost. After the way down, on which few
    /// batches leave and the store is to show what it takes for each, a backlog leaves in several requests.
    /// </remarks>
    public int MaxBatchKeys => !_descent.HasBegun ? 1 : Math.Min(_refusals.MaxBatchKeys, IsQuiet ? _quiet.Keys : _descent.IsUnderWay ? int.MaxValue : KeysOfBacklog);

    /// <inheritdoc/>
    public int MaxDepartureKeys => IsQuiet ? _quiet.Keys : int.MaxValue;

    /// <inheritdoc/>
    /// <remarks>They do not: the interval is learned from writes, and a service that begins with reads would wait for what it has not learned yet.</remarks>
    public bool PacesReads => false;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
        _waiting = departure.Keys;
        _yield.Depart();
        MoveTo(departure.At.TotalMilliseconds);
        _sentAt = _now;
        _critical.Depart(_now);
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request)
    {
        var now = request.AnsweredAt.TotalMilliseconds;
        MoveTo(now);
        if (request.Outcome == StoreRequestOutcome.Overloaded)
            _refusals.Refused(request, _interval);
        var sentAt = request.SentAt.TotalMilliseconds;
        // What was under way together is lost together, and says nothing of the store that comes back.
        if (sentAt < _begunAt)
            return;
        if (request.Outcome is StoreRequestOutcome.Unknown or StoreRequestOutcome.Unreachable)
            BeginAnew(now);
        // A read's latency is another one than a write's, and reads don't wait for the interval's sake.
        if (request.Outcome != StoreRequestOutcome.Answered || request.Kind != StoreRequestKind.Write)
            return;

        _refusals.Answered(now);
        var latency = Math.Clamp(request.Latency.TotalMilliseconds, 1e-3, LongestLatency);
        var size = Math.Max(1, request.Operations);
        var passed = Math.Clamp(request.Interval.TotalMilliseconds, 0, LongestLatency);
        var isQuiet = _quiet.IsAt(sentAt);
        if (!isQuiet)
            _fullStore.Answered(now);
        if (!_descent.IsUnderWay && !isQuiet)
        {
            _critical.Add(sentAt, latency, passed, size);
            if (_critical.IsMeasuredAt(sentAt))
                _critical.Measure(new TrialAnswer(latency, passed, _idle.Of(size), _idle.Lowest(size), _idle.PerKey * size, (double)size / _fullBatch.Keys));
        }

        // The way down begins with intervals that leave the store to itself.
        _idle.Add(now, latency, size, isIdle: _descent is { IsUnderWay: true, HasBegun: true } && _interval >= latency);
        if (isQuiet)
            _quiet.Answered(now, latency);
        // In a quiet moment, and when the first request leaves, nothing of the lane's own is in the way.
        if (size == 1 && (isQuiet || !_descent.HasBegun))
            _quiet.AddOneKey(latency);
        // The queue of a trial is none that the interval is to answer to, and to have none is what a quiet moment is for.
        if (isQuiet || _critical.Disturbed(sentAt))
            return;
        _quiet.Add(latency);
        _departures.Add(_descent.HasBegun ? Math.Min(passed, (MostLonger * _departures.Value) + 1) : passed);
        _interval = _descent.Bound(_interval, latency);
        _typical = _idle.Of(_idle.MeanSize);
        _fullBatch = new FullBatch(_idle.Lowest(1), _idle.PerKey);
        var idle = _idle.Of(size);
        var delay = latency - idle;
        _fullStore.Add(latency, idle);
        var mostInFlight = MostInFlight;
        _fullRequests.Add(size, latency, _fullBatch.Keys, _descent.IsUnderWay ? 0 : now - _learnedAt, mostInFlight, _parameters.MaxInFlight);
        Observe(request, latency, passed);
        var unswung = _parameters.QueueFactor * _search.Factor * TargetQueue.Of(_typical, _interval, _idle.ShareOfOneKey(_idle.MeanSize));
        (_target, _mostQueue) = IsSwinging ? (unswung * _search.TargetSwingAt(now), unswung * _search.ShorterTarget) : (unswung, unswung);

        if (_critical.IsShared && latency < _interval)
            _yield.Waited(latency - _idle.Lowest(size), _interval);
        // The requests that met a pause of the store together weigh as much as an ordinary queue, not more. And one in a few is no queue,
        // however late: it counts for the queue aimed at more than the others.
        _delays.Add(delay);
        var others = _delays.Median;
        var most = (8 * _target) + idle;
        _queue.Add(Math.Min(Math.Min(delay, most), Math.Clamp(others, 0, most) + _target));
        // Where few answers come, an average remembers for long what none of the last has met.
        _queue.Bound(_delays.Highest);
        var queue = Math.Max(0, _queue.Value);
        var excess = Excess.Of(queue, _target);
        double step;
        if (_descent.IsUnderWay)
        {
            _learnedAt = now;
            // Where keys are most of a batch, twice as many batches take hardly more of the store: nothing but a queue as long as the batch's own time is one.
            var noQueue = _idle.ShareOfOneKey(size) < ShareSaved ? Math.Max(_target, idle) : _target;
            step = _descent.Step(now, sentAt, delay, noQueue);
        }
        else
        {
            step = Step(request, now, excess, delay, others, latency, passed);
            // Of the idle latency that this would be decided on, part is the other lanes' queue.
            if (_elasticity.IsStoreUnknown && !_critical.IsKnown)
                step = Math.Max(step, 0);
        }

        _excess = excess;
        SetInterval(step, Math.Max(idle, _typical), mostInFlight);
        if (!_descent.IsUnderWay && !_fullRequests.AreUsual && _elasticity.IsMissing(now, queue, _target, _typical, _departures.Value, IsNearLongest))
        {
            Forget(now);
            _idle.Add(now, latency, size);
            _quiet.Begin(now);
        }
    }

    // What would be under way still when the moment begins leaves in it, with what gathers until then.
    private double HeldForQuiet(double interval)
        => Math.Max(_now, _sentAt + interval) + _quiet.Hold >= _quiet.Next ? _quiet.Next - _sentAt : interval;

    private void MoveTo(double now)
    {
        _now = now;
        if (!_descent.IsUnderWay)
            _quiet.Advance(now);
        _critical.Advance(now, _interval, LeastInterval, _idle.PerKey, mayTry: IsSwinging && !IsQuiet && _refusals.Interval < _interval, IsTrialUrgent);
    }

    private Search NewSearch() => new(_parameters.Swing, _parameters.MaxIntervalMilliseconds);

    private void Observe(in StoreRequest request, double latency, double passed)
    {
        if (IsSwinging && !_fullRequests.AreUsual)
            _search.Add(request, latency, passed, _interval, SwungAt(request.SentAt.TotalMilliseconds), IsShortest);
        else
            _search.Pause(request.AnsweredAt.TotalMilliseconds);
    }

    private double SwungAt(double time)
        => Math.Clamp(_interval * _search.IntervalSwingAt(time), Math.Min(_interval, LeastInterval), _parameters.MaxIntervalMilliseconds);

    // What an answer was lost to (a dead server, a timeout) has changed the store, or was its queue: the way down from above suits both.
    private void BeginAnew(double now)
    {
        Forget(now);
        _begunAt = now;
        _excess = 0;
        _interval = InitialInterval;
        _maxInFlight = 1;
        _descent = new Descent();
        _elasticity = new Elasticity();
        _critical = new CriticalInterval(_parameters.MaxInFlight);
        _search = NewSearch();
        (_fullStore, _quiet, _backlog) = (new FullStore(), new QuietMoment(), new Backlog());
        _departures.Reset();
    }

    // The store is another one: what it takes when idle is learned anew.
    private void Forget(double now)
    {
        _learnedAt = now;
        _idle.Forget(now);
        _solitude.Forget();
        _fullStore.Forget();
        _fullRequests.Forget();
        _quiet.Forget();
        _critical.Forget();
        _delays.Forget();
        _queue.Reset();
    }

    // The natural logarithm of the interval's next step.
    private double Step(in StoreRequest request, double now, double excess, double delay, double others, double latency, double passed)
    {
        // Answers to one step come a latency later; with many in flight each takes its part of it, or the law would overshoot.
        var part = Math.Min(1, Math.Max(_interval, passed) / latency);
        var step = _parameters.Gain * excess * part;
        if (now - _learnedAt >= LearningTime)
            step += Damping * (excess - _excess);
        // While a queue drains the interval has time; the rounds that it takes until then tell more of what the store keeps up with than steps do.
        _backlog.Add(now, request.SentAt.TotalMilliseconds, delay, others, _target, _typical, excess >= Excess.Most, _interval, _parameters.MaxIntervalMilliseconds);
        if (_backlog.IsThere)
            step = Math.Min(step, _parameters.Gain);
        if (_backlog.Interval > 0 && !request.ApplicationLimited)
            _interval = Math.Max(_interval, Math.Min(ShareOfRound * passed, _parameters.MaxIntervalMilliseconds));
        var latencies = _interval / Math.Max(latency, _typical);
        if ((excess < 0 && latencies > StaleFactor) || (_delays.Highest < Unqueued * _target && latencies > StaleFactorUnqueued))
            step = Math.Min(step, StaleStep);
        if (step > 0 && _interval > MostDepartures * _departures.Value)
            step = 0;
        if (_interval < _critical.ShortestInterval)
            step = Math.Max(step, Math.Log(_critical.ShortestInterval / _interval));
        step = Math.Min(step, Math.Log(_critical.LongestInterval / _interval));
        _solitude.Add(now, latency, _interval);
        var longest = _solitude.LongestInterval(_typical);
        if (latency > _interval || delay > QueueInCompany * _interval)
            return step;
        return _interval > longest ? Math.Min(step, AloneStep * _parameters.Gain) : Math.Min(step, Math.Log(longest / _interval));
    }

    private void SetInterval(double step, double idle, double mostInFlight)
    {
        var least = LeastInterval;
        _interval = Math.Clamp(_interval * Math.Exp(step), least, _parameters.MaxIntervalMilliseconds);
        _descent.Reached(_interval <= least);
        // Enough for the shorter of the two intervals that it swings between.
        var needed = (idle + _mostQueue) / (IsSwinging ? _interval * _search.ShorterInterval : _interval);
        needed += InFlightSlack * Math.Max(0, needed - 1);
        // The store keeps up with all lanes that have so many under way each: to wait for their answers is right, and for more than those is not.
        if (_interval >= _critical.Value)
            needed = _critical.InFlight;
        // And before a store that is full, or has become so, whatever is in flight beyond what it works on only waits.
        mostInFlight = Math.Min(mostInFlight, LightLoad.MostInFlight(_typical, _departures.Value));
        needed = Math.Min(needed, Math.Max(_critical.InFlight, mostInFlight));
        // On the way down one slow answer must not hold up the next batches, which would grow meanwhile: in a store with several workers, that one
        // client fills, they would grow without end. The long interval guards the store.
        _maxInFlight = _descent.IsUnderWay ? _parameters.MaxInFlight : (int)Math.Clamp(Math.Ceiling(needed), 1, _parameters.MaxInFlight);
    }
}
