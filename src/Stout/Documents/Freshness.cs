namespace Stout.Documents;

/// <summary>The source of answers that change nothing: reads, and changes whose function throws or changes nothing.</summary>
public enum Freshness
{
    /// <summary>Answers come from memory. Correct as long as no other process writes the object.</summary>
    Memory,

    /// <summary>
    /// Answers are confirmed by a read of the store that began after the call; concurrent calls share it. Calls of one object are then linearizable
    /// across all processes.
    /// </summary>
    Store,

    /// <summary>
    /// Memory, once the store has confirmed after the beginning of the call that this process still owns the object
    /// (<see cref="KeyHandle.ConfirmAsync"/>). For collections with <see cref="Ownership.Claim"/>: their calls are then linearizable, object by object.
    /// </summary>
    Confirmed,
}
