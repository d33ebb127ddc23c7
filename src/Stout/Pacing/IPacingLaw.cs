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
