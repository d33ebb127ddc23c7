namespace Stout.Pacing;

/// <summary>
/// The departure of a batch: of the write requests that carry all dirty keys, and of the reads that waited for the departure (<see
/// cref="IPacingLaw.PacesReads"/>).
/// </summary>
/// <param name="At">The time of the departure.</param>
/// <param name="Interval">The actual time since the previous batch, not counting retry delays. It may differ from the law's interval: timers are
/// inaccurate, and an idle lane waits for work.</param>
/// <param name="ApplicationLimited">Whether the batch could have left earlier, but there was nothing to send.</param>
/// <param name="Keys">The number of keys to send; 0 if only reads leave. <see cref="IPacingLaw.MaxBatchKeys"/> and <see
/// cref="IPacingLaw.EqualBatches"/> decide their division into requests.</param>
/// <param name="Waited">The time for which the batch waited with no other request in flight. The wait begins at the previous departure or at the last answer.</param>
/// <param name="MeanArrival">The mean time from the beginning of that wait until a key was changed; 0 for the keys that were changed before.</param>
public readonly record struct BatchDeparture(
    TimeSpan At, TimeSpan Interval, bool ApplicationLimited, int Keys, TimeSpan Waited = default, TimeSpan MeanArrival = default);
