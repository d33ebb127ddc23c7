namespace Stout.Pacing;

/// <summary>A batch that leaves: at most one write request after another until all that was dirty has left, and the reads beside it.</summary>
/// <param name="At">When.</param>
/// <param name="Interval">The time that has really passed since the batch before it (timers are coarse; an idle lane waits for work).</param>
/// <param name="ApplicationLimited">Whether the law would have let it leave earlier: there was nothing to send.</param>
/// <param name="Keys">How many keys are to leave with it, in requests of no more than <see cref="IPacingLaw.MaxBatchKeys"/> each; 0 where only reads do.</param>
public readonly record struct BatchDeparture(TimeSpan At, TimeSpan Interval, bool ApplicationLimited, int Keys);
