using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Decides when batches may leave and how many requests may be in flight, from the pacing law and the store's failures.</summary>
internal sealed class DepartureGate(IPacingLaw law, RetryDelay retryDelay, LaneTelemetry? telemetry = null, TimeSpan timerStep = default)
{
    private TimeSpan? _lastDeparture;
    private TimeSpan? _pacedFrom;
    private TimeSpan _heldUntil;
    private TimeSpan? _workSince;
    private TimeSpan? _due;
    private TimeSpan _lastTrouble;
    private TimeSpan? _lastAnswered;
    private int _troubles;
    private Exception? _lastError;
    private StoreRefusal? _refusal;
    private GatheringTime _gathering;

    /// <summary>The time since which the store has been unreachable; null while it is reachable or its answers are merely uncertain.</summary>
    public TimeSpan? UnreachableSince { get; private set; }

    /// <summary>Whether the latest requests were lost or did not reach the store.</summary>
    public bool IsFailing { get; private set; }

    /// <summary>
    /// The number of consecutive failures, including refusals for overload. Requests that fail while in flight together count as one failure.
    /// </summary>
    public int ConsecutiveFailures => _troubles;

    /// <summary>The error that delays sending; null while the store answers.</summary>
    public Exception? Trouble => _troubles > 0 ? _lastError : null;

    /// <summary>The store's reason for refusing every request; null if no such refusal counts at the given time. Thread-safe.</summary>
    public StoreException? RefusalAt(TimeSpan now) => _refusal is { } refusal && refusal.Holds(now) ? refusal.Error : null;

    /// <summary>The limit of requests in flight. While the store fails, the limit is 1: one request at a time probes the store.</summary>
    public int MaxInFlight => IsFailing ? 1 : Math.Max(1, law.MaxInFlight);

    public int MaxBatchKeys => Math.Max(1, law.MaxBatchKeys);

    /// <summary>The most keys that the next request may take, if the law wants equal requests.</summary>
    /// <param name="undurable">The number of undurable keys, including those in flight.</param>
    public int EqualPart(int undurable) => law.EqualBatches ? Math.Max(1, ((undurable - 1) / MaxInFlight) + 1) : int.MaxValue;

    /// <summary>Whether reads wait for the next departure as writes do.</summary>
    public bool PacesReads => law.PacesReads;

    /// <summary>A copy of the law's interval after its last call. Statistics read it from any thread, and a law is not thread-safe.</summary>
    public TimeSpan Interval { get; private set; } = law.Interval;

    /// <summary>A copy of the law's phase after its last call.</summary>
    public PacingPhase Phase { get; private set; } = law.Phase;

    /// <summary>The reason why the last batch did not leave earlier.</summary>
    public PacingLimit Limit { get; private set; }

    /// <summary>The time until which nothing is sent because the store failed or asked for a pause.</summary>
    public TimeSpan HeldUntil => _heldUntil;

    /// <summary>The earliest time of the next batch.</summary>
    public TimeSpan NextDeparture
    {
        get
        {
            var paced = _pacedFrom is { } last ? last + Interval : TimeSpan.Zero;
            return paced > _heldUntil ? paced : _heldUntil;
        }
    }

    /// <summary>Records whether keys wait to be sent, so that the gate can tell a departure that was held back from one that waited for work.</summary>
    public void NoteWork(bool hasWork, TimeSpan now) => _workSince = hasWork ? _workSince ?? now : null;

    /// <summary>Records how many keys wait to be sent.</summary>
    /// <param name="keys">The number of keys.</param>
    /// <param name="isIdle">Whether no write is in flight.</param>
    /// <param name="now">The time.</param>
    public void NoteKeys(int keys, bool isIdle, TimeSpan now) => _gathering.Note(keys, isIdle, now);

    /// <summary>
    /// Whether the next batch may leave now. A timer fires up to one step late, so a departure up to half a step early is no less accurate.
    /// </summary>
    public bool IsDue(TimeSpan now) => now >= _heldUntil && now + (timerStep / 2) >= NextDeparture;

    /// <summary>Records whether only the interval holds the next batch back, so that timer inaccuracy can be compensated.</summary>
    public void NoteReady(bool isReady) => _due = isReady ? NextDeparture : null;

    public BatchDeparture Depart(TimeSpan now, int keys)
    {
        var departure = new BatchDeparture(
            now, PassedUntil(now), ApplicationLimited: _workSince is null || _workSince > NextDeparture, keys, _gathering.Waited(now), _gathering.MeanArrival(now, keys));
        _gathering.Begin(now);
        Limit = LimitOf(departure);
        _pacedFrom = IsOffByTimer(now) ? _due : now;
        _lastDeparture = now;
        law.BatchSent(departure);
        NoteLaw();
        return departure;
    }

    /// <summary>Passes an answer to the law, and delays the lane if the store failed or asked for a pause.</summary>
    /// <param name="request">The request.</param>
    /// <param name="error">The error of the outcome, if any.</param>
    /// <param name="saysCostOfWrites">True if a read was answered or a key was committed. A request with only busy or refused keys causes no commit. Its
    /// low latency would lower the base latency, and the law would then mistake the time of every commit for queueing.</param>
    /// <param name="refusal">The store's reason for refusing every request; null otherwise.</param>
    public void Answered(in StoreRequest request, Exception? error, bool saysCostOfWrites = true, StoreException? refusal = null)
    {
        var interval = Interval;
        if (saysCostOfWrites || request.Outcome != StoreRequestOutcome.Answered)
            law.RequestAnswered(request);
        NoteLaw();
        telemetry?.RequestAnswered(request, error, interval, Interval);
        if (request.Outcome == StoreRequestOutcome.Answered)
        {
            _troubles = 0;
            IsFailing = false;
            UnreachableSince = null;
            _lastAnswered = request.AnsweredAt;
            _refusal = refusal is null ? null : new StoreRefusal(refusal, request.AnsweredAt);
            return;
        }

        _lastError = error;
        // The store has answered other requests meanwhile, so the cause lies in this request's keys.
        if (request.Outcome == StoreRequestOutcome.Unknown && _lastAnswered > request.SentAt)
            return;

        // Requests in flight together fail together, and count as one failure.
        if (_troubles == 0 || request.SentAt > _lastTrouble)
        {
            _troubles++;
            _lastTrouble = request.AnsweredAt;
        }

        IsFailing = request.Outcome != StoreRequestOutcome.Overloaded;
        UnreachableSince = request.Outcome == StoreRequestOutcome.Unreachable ? UnreachableSince ?? request.AnsweredAt : null;
        var until = request.AnsweredAt + retryDelay.After(_troubles, request.RetryAfter);
        if (until > _heldUntil)
            _heldUntil = until;
    }

    private void NoteLaw()
    {
        Interval = law.Interval;
        Phase = law.Phase;
    }

    // NoteReady sets no due time while the in-flight limit holds the batch back.
    private PacingLimit LimitOf(in BatchDeparture departure)
    {
        if (departure.ApplicationLimited)
            return PacingLimit.None;
        if (_due is null)
            return PacingLimit.InFlight;
        if (_due == _heldUntil)
            return PacingLimit.Trouble;
        return Phase == PacingPhase.Refused ? PacingLimit.Refusals : PacingLimit.Interval;
    }

    // Whether the batch missed its due time by at most one timer step. The next interval then counts from the due time. Otherwise a step of 1 ms would
    // lengthen an interval of 2 ms by half.
    private bool IsOffByTimer(TimeSpan now) => _due > _lastDeparture && _due > _heldUntil && (now - _due)?.Duration() <= timerStep;

    // The interval that is reported to the law. If a retry delay or a requested pause lasted longer than the law's interval, the batch counts as due at
    // the end of that delay.
    private TimeSpan PassedUntil(TimeSpan now)
    {
        if (_lastDeparture is not { } last)
            return Interval;
        return _heldUntil > last + Interval ? now - _heldUntil + Interval : now - last;
    }
}
