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
}
