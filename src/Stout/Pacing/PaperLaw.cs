namespace Stout.Pacing;

/// <summary>
/// The paper's adaptive law (section 3.2). It backs off (lengthens the interval) when the store performs worse than recently, and otherwise
/// accelerates (shortens the interval).
/// </summary>
/// <remarks>
/// <para>The paper leaves these details open:</para>
/// <list type="bullet">
/// <item>A request is one batch to one store partition, or one read. Section 3.2.1 says "every request that completes", and the recovery in figure 14
/// fits ten batches per decision.</item>
/// <item><c>bytes</c> is the sum over the window, as section 3.2.2 words it, not the mean per request.</item>
/// <item><c>intrvl</c> in performance is the mean of the actual intervals before the window's requests, since timers are inaccurate and answers lag.
/// Equation 3 uses the same value, so that both sides of its comparison have the same interval. A batch that waited for work counts with at most the
/// law's interval, since an idle application does not mean a slow store.</item>
/// <item>The comparison uses windows before the current one ("the recent past"). The EWMA(lat) in α includes the current window, which is the only one
/// at the first back-off after an acceleration. An EWMA starts with its first sample.</item>
/// <item>α is the minimum of EWMA(lat) × α′ and α_max. The formula prints a maximum, but the text says "with an upper bound".</item>
/// <item>The first decision has no earlier window to compare with, and accelerates.</item>
/// <item>The paper's stores queue and never refuse. A request refused for overload or of unknown outcome counts with its latency and without bytes,
/// so it lowers performance like a loss in TCP. A window with only such requests backs off. Requests that did not reach the store do not
/// count.</item>
/// </list>
/// <para>The law has no guard against runaway: with a store queue of several seconds it decides too rarely to recover. <see
/// cref="PaperLawParameters.MaxInFlight"/> is such a guard, and is off by default as in the paper.</para>
/// </remarks>
public sealed class PaperLaw : IPacingLaw
{
    private readonly PaperLawParameters _parameters;
    private SelfClock _clock;
    private RecentPerformance _recent;
    private double _interval;

    /// <summary>Creates the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public PaperLaw(PaperLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        _parameters = parameters with { };
        _parameters.Validate();
        _clock = new SelfClock(_parameters.MinRequests, _parameters.MinLatencyFraction);
        _recent = new RecentPerformance(_parameters.EwmaFactor);
        _interval = _parameters.InitialInterval.TotalMilliseconds;
    }

    /// <inheritdoc/>
    public TimeSpan Interval => TimeSpan.FromMilliseconds(_interval);

    /// <inheritdoc/>
    public int MaxInFlight => _parameters.MaxInFlight;

    /// <inheritdoc/>
    public int MaxBatchKeys => int.MaxValue;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request)
    {
        if (request.Outcome == StoreRequestOutcome.Unreachable)
            return;

        var latency = Math.Max(0, request.Latency.TotalMilliseconds);
        var interval = IntervalBefore(request);
        if (request.Outcome == StoreRequestOutcome.Answered)
            _clock.Add(Math.Max(0, request.Bytes), latency, interval);
        else
            _clock.AddFailed(latency, interval);

        var now = request.AnsweredAt.TotalMilliseconds;
        if (!_clock.IsDue(now))
            return;
        Decide();
        _clock.Restart(now);
    }

    private double IntervalBefore(in StoreRequest request)
    {
        var passed = Math.Max(0, request.Interval.TotalMilliseconds);
        return request.ApplicationLimited ? Math.Min(passed, _interval) : passed;
    }

    private void Decide()
    {
        var current = _clock.Measurement;
        var backOff = current.Performance < _parameters.Threshold * _recent.ComparedAt(current.Interval) || _clock.NothingGotThrough;
        _recent.Add(current);
        if (backOff)
            BackOff();
        else
            Accelerate();
    }

    private void BackOff()
    {
        var alpha = Math.Min(_recent.Latency * _parameters.AlphaPerMillisecond, _parameters.MaxAlpha);
        SetInterval((1 + alpha) * _interval);
        _recent.BackedOff();
    }

    private void Accelerate()
    {
        var beta = _parameters.Beta;
        SetInterval(((1 - beta) * _interval) + (beta * Math.Sqrt(_interval)));
        _recent.Accelerated();
    }

    private void SetInterval(double interval)
        => _interval = Math.Clamp(interval, _parameters.MinInterval.TotalMilliseconds, _parameters.MaxInterval.TotalMilliseconds);
}
