namespace Stout.Documents;

/// <summary>What the answer of a call may rest on that changes nothing: a read, or a change whose function throws or changes nothing.</summary>
public enum Freshness
{
    /// <summary>What is in memory. Right while no other process writes the object.</summary>
    Memory,

    /// <summary>
    /// What the store has held at some moment after the call began: a request to the store, shared by all calls that have begun before it. With
    /// that, calls of one object are linearizable however many processes write it.
    /// </summary>
    Store,
}
