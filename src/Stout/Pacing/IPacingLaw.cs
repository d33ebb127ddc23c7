namespace Stout.Pacing;

/// <summary>
/// Decides when a lane's next batch may leave, and how many may be in flight (the paper, section 3.2). Pure: no clock, no timer,
/// no lock; it is told of what happens and answers by its properties. One instance serves one lane and is called by one
/// thread at a time.
/// </summary>
/// <remarks>All times count from the lane's start, on a monotonic clock.</remarks>
public interface IPacingLaw
{
    /// <summary>
    /// The batching interval (the paper's <c>intrvl</c>): the least time between two batches, counted from the last send, or from when that was due where
    /// only a timer kept it from leaving then. The system's timers keep it to within a millisecond.
    /// </summary>
    TimeSpan Interval { get; }

    /// <summary>How many write requests may be in flight; at least 1.</summary>
    int MaxInFlight { get; }

    /// <summary>The most keys that one request may carry; the store's own limit holds besides. At least 1.</summary>
    int MaxBatchKeys { get; }

    /// <summary>
    /// Whether reads wait for the next batch and leave beside it, as in the paper; else they leave as soon as fewer than <see cref="MaxInFlight"/>
    /// are under way, and gather meanwhile.
    /// </summary>
    bool PacesReads => true;

    /// <summary>What the law does at present, for statistics.</summary>
    PacingPhase Phase => PacingPhase.Steady;

    /// <summary>A batch has left.</summary>
    void BatchSent(in BatchDeparture departure);

    /// <summary>
    /// A store request has been answered, or given up. Write requests that were answered and committed no key are left out: their latency says
    /// nothing of what a write costs.
    /// </summary>
    void RequestAnswered(in StoreRequest request);
}

/// <summary>A batch that leaves: at most one write request after another until all that was dirty has left, and the reads beside it.</summary>
/// <param name="At">When.</param>
/// <param name="Interval">The time that has really passed since the batch before it (timers are coarse; an idle lane waits for work).</param>
/// <param name="ApplicationLimited">Whether the law would have let it leave earlier: there was nothing to send.</param>
/// <param name="Keys">How many keys are to leave with it, in requests of no more than <see cref="IPacingLaw.MaxBatchKeys"/> each; 0 where only reads do.</param>
public readonly record struct BatchDeparture(TimeSpan At, TimeSpan Interval, bool ApplicationLimited, int Keys);

/// <summary>One answered request to the store.</summary>
public readonly record struct StoreRequest
{
    /// <summary>Whether it wrote or read.</summary>
    public required StoreRequestKind Kind { get; init; }

    /// <summary>The number of keys in it.</summary>
    public required int Operations { get; init; }

    /// <summary>The bytes of the values sent or received.</summary>
    public required long Bytes { get; init; }

    /// <summary>When it was sent.</summary>
    public required TimeSpan SentAt { get; init; }

    /// <summary>When its answer came, or it was given up.</summary>
    public required TimeSpan AnsweredAt { get; init; }

    /// <summary>How it ended.</summary>
    public required StoreRequestOutcome Outcome { get; init; }

    /// <summary>How long the store asked to be left alone, where it did.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The time that had really passed between the batch it left with and the one before.</summary>
    public required TimeSpan Interval { get; init; }

    /// <summary>Whether the batch that it left with could have left earlier, had there been anything to send.</summary>
    public bool ApplicationLimited { get; init; }

    /// <summary>The time from sending to answer, without any wait between attempts.</summary>
    public TimeSpan Latency => AnsweredAt - SentAt;
}

/// <summary>What a store request does.</summary>
public enum StoreRequestKind
{
    /// <summary>Writes keys.</summary>
    Write,

    /// <summary>Reads keys.</summary>
    Read,
}

/// <summary>How a store request ended.</summary>
public enum StoreRequestOutcome
{
    /// <summary>Answered. (Conflicts are answers too.)</summary>
    Answered,

    /// <summary>Refused for overload, in whole or in part.</summary>
    Overloaded,

    /// <summary>The store could not be reached: its latency says nothing.</summary>
    Unreachable,

    /// <summary>No certain answer: it timed out or the connection was lost.</summary>
    Unknown,
}
