namespace Stout.Documents;

/// <summary>
/// Where the answer to a call that changes nothing comes from. Such calls are reads, and changes whose function throws or changes nothing.
/// </summary>
public enum Freshness
{
    /// <summary>Answers come from memory. They are correct as long as no other process writes the object.</summary>
    Memory,

    /// <summary>
    /// Answers show the object's state as of a read of the store, or of a commit, that began after the call. Concurrent calls share one read. Calls of one
    /// object are then linearizable across all processes.
    /// </summary>
    Store,

    /// <summary>
    /// Answers come from memory, after a read of the store has confirmed that this process still owns the object (<see cref="KeyHandle.ConfirmAsync"/>). The
    /// read begins after the call. With <see cref="Ownership.Claim"/>, calls of one object are then linearizable across all processes.
    /// </summary>
    Confirmed,
}
