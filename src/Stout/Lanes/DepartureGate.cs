using Stout.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>
/// When batches may leave and how many requests may be in flight: what the law says, and what the store's troubles say besides.
/// </summary>
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
    private StoreRefusal? _refusal;

    /// <summary>Since when the store could not be reached; null while it can, and while its answers are merely uncertain.</summary>
    public TimeSpan? UnreachableSince { get; private set; }

    /// <summary>Whether the last requests had no certain answer or did not reach the store.</summary>
    public bool IsFailing { get; private set; }

    /// <summary>Requests in a row that were not answered.</summary>
    public int ConsecutiveFailures => _troubles;

    /// <summary>What the last trouble was.</summary>
    public Exception? LastError { get; private set; }

    /// <summary>Why the store refuses every request, as far as is known at a time. Any thread may ask.</summary>
    public StoreException? RefusalAt(TimeSpan now) => _refusal is { } refusal && refusal.Holds(now) ? refusal.Error : null;

    /// <summary>While the store fails, one request at a time finds out whether it still does.</summary>
    public int MaxInFlight => IsFailing ? 1 : Math.Max(1, law.MaxInFlight);

    public int MaxBatchKeys => Math.Max(1, law.MaxBatchKeys);

    /// <summary>Whether reads wait for the next departure.</summary>
    public bool PacesReads => law.PacesReads;

    /// <summary>What the law said last: statistics ask from any thread, and a law is called by one at a time.</summary>
    public TimeSpan Interval { get; private set; } = law.Interval;

    /// <summary>What the law does, as it said last.</summary>
    public PacingPhase Phase { get; private set; } = law.Phase;

    /// <summary>What kept the last batch from leaving earlier.</summary>
    public PacingLimit Limit { get; private set; }

    /// <summary>Until when nothing is sent, because the store is in trouble.</summary>
    public TimeSpan HeldUntil => _heldUntil;

    /// <summary>When the next batch may leave.</summary>
    public TimeSpan NextDeparture
    {
        get
        {
            var paced = _pacedFrom is { } last ? last + Interval : TimeSpan.Zero;
            return paced > _heldUntil ? paced : _heldUntil;
        }
    }

    /// <summary>Notes whether there is something to send, so that a late departure can be laid at the application's door.</summary>
    public void NoteWork(bool hasWork, TimeSpan now) => _workSince = hasWork ? _workSince ?? now : null;

    /// <summary>
    /// Whether the next batch may leave now: a timer would not fire when it is due but up to a step later, so half a step before it is as near.
    /// </summary>
    public bool IsDue(TimeSpan now) => now >= _heldUntil && now + (timerStep / 2) >= NextDeparture;

    /// <summary>Notes whether only the time keeps a batch from leaving, so that what it leaves too late or too early can be laid at the timer's door.</summary>
    public void NoteReady(bool isReady) => _due = isReady ? NextDeparture : null;

    public BatchDeparture Depart(TimeSpan now, int keys)
    {
        var departure = new BatchDeparture(now, PassedUntil(now), ApplicationLimited: _workSince is null || _workSince > NextDeparture, keys);
        Limit = LimitOf(departure);
        _pacedFrom = IsOffByTimer(now) ? _due : now;
        _lastDeparture = now;
        law.BatchSent(departure);
        NoteLaw();
        return departure;
    }

    /// <summary>Tells the law of an answer, and holds the lane back where the store asks for it or fails.</summary>
    /// <param name="request">The request.</param>
    /// <param name="error">The cause of its outcome.</param>
    /// <param name="saysCostOfWrites">
    /// Whether a read was answered, or a key was committed. A write request whose keys were all busy or refused costs the store no commit; its
    /// latency, far below the others', would pass for the base latency, and the law would take every commit for a queue.
    /// </param>
    /// <param name="refusal">Why the store refuses every request; null if it does not.</param>
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

        LastError = error;
        // The store has answered others meanwhile: it is the keys of this request that it does not answer.
        if (request.Outcome == StoreRequestOutcome.Unknown && _lastAnswered > request.SentAt)
            return;

        // What was under way together fails together: that is one trouble, not many.
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

    // Where only the time kept the batch, the gate knows when it was due.
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

    // The next batch then keeps its time: at intervals of few milliseconds a step more or less would be half of them.
    private bool IsOffByTimer(TimeSpan now) => _due > _lastDeparture && _due > _heldUntil && (now - _due)?.Duration() <= timerStep;

    // While the store asked to be left alone or was out of reach, no law kept the batch back: it counts as due when that ended.
    private TimeSpan PassedUntil(TimeSpan now)
    {
        if (_lastDeparture is not { } last)
            return Interval;
        return _heldUntil > last + Interval ? now - _heldUntil + Interval : now - last;
    }
}
