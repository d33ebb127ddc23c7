namespace Stout.Lanes.Core;

/// <summary>
/// A client of the lane whose changes have no bytes until a batch leaves. The core calls it inside its own calls. An implementation is as pure as the core, and
/// answers later, by an input to the lane.
/// </summary>
internal interface ILaneClient
{
    /// <summary>The number of batches whose bytes the client is making. Each counts as a request in flight.</summary>
    int Gathering { get; }

    /// <summary>Whether the client takes another batch.</summary>
    bool CanGather { get; }

    /// <summary>The longest time from <see cref="BatchMayLeave"/> to the client's answer.</summary>
    TimeSpan LongestGathering { get; }

    /// <summary>The time of the client's next scheduled event; null if only an input can cause one.</summary>
    TimeSpan? NextWake { get; }

    /// <summary>Connects the client with its lane's core.</summary>
    void Join(LaneCore core);

    /// <summary>Handles everything that is due at the given time.</summary>
    void Advance(TimeSpan now);

    /// <summary>
    /// The next batch of this lane may leave. For each key, the client answers by <see cref="LaneCore.Deliver"/>, <see cref="LaneCore.PutBack"/> or <see
    /// cref="LaneCore.Fail"/>.
    /// </summary>
    /// <param name="keys">The keys; valid during the call.</param>
    /// <param name="now">The time.</param>
    void BatchMayLeave(IReadOnlyList<PendingWork> keys, TimeSpan now);

    /// <summary>The lane no longer uses the bytes of the key's batch: <see cref="PendingWork.Late"/> is not null.</summary>
    void Release(PendingWork work);

    /// <summary>A request has exceeded its time limit and may still read the key's bytes, so their memory must not be reused.</summary>
    void Abandon(PendingWork work);

    /// <summary>A key was read. The fill completes when the client answers by <see cref="LaneCore.TakenUp"/>.</summary>
    void TakeUp(KeyFill fill, TimeSpan now);
}
