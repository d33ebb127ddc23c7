namespace Stout.Pacing;

/// <summary>
/// Decides when a lane's next batch may leave, and how many requests may be in flight (the paper, section 3.2). A law is pure: no clock, timer or
/// lock. Its methods report events, and its properties are the decisions. Each lane has its own instance, used by one thread at a time.
/// </summary>
/// <remarks>All times are monotonic and count from the lane's start.</remarks>
public interface IPacingLaw
{
    /// <summary>
    /// The batching interval (the paper's <c>intrvl</c>): the least time between two batches. It counts from the last departure. If only the timer's
    /// inaccuracy of up to a millisecond delayed that departure, it counts from the departure's due time.
    /// </summary>
    TimeSpan Interval { get; }

    /// <summary>The limit of write requests in flight; at least 1.</summary>
    int MaxInFlight { get; }

    /// <summary>The most keys of one request; the store's own limit applies too. At least 1.</summary>
    int MaxBatchKeys { get; }

    /// <summary>
    /// Whether the undurable keys are divided equally among <see cref="MaxInFlight"/> requests. Otherwise a request takes all waiting keys. The callers of
    /// such a large request make no changes before its answer, so few keys are left for a second request meanwhile.
    /// </summary>
    bool EqualBatches => false;

    /// <summary>
    /// Whether reads wait for the next batch, as in the paper. Otherwise a read request leaves as soon as fewer than <see cref="MaxInFlight"/> read
    /// requests are in flight; until then, reads gather for it.
    /// </summary>
    bool PacesReads => true;

    /// <summary>The law's present phase, for statistics.</summary>
    PacingPhase Phase => PacingPhase.Steady;

    /// <summary>Reports the departure of a batch.</summary>
    void BatchSent(in BatchDeparture departure);

    /// <summary>
    /// Reports an answered or abandoned store request. Answered write requests that committed no key are not reported, since their latency says
    /// nothing about the cost of a write.
    /// </summary>
    void RequestAnswered(in StoreRequest request);
}
