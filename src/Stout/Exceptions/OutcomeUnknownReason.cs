namespace Stout;

/// <summary>The reasons why the outcome of changes is unknown.</summary>
public enum OutcomeUnknownReason
{
    /// <summary>The changes were sent, and no certain answer came back. The key has failed: fill it again to see the stored state.</summary>
    Unresolved,

    /// <summary>
    /// The time limit for an answer (<see cref="StoutOptions.AnswerWithin"/>) passed. The key has not failed: the changes stay in memory, and may still become
    /// durable or fail.
    /// </summary>
    NotAnsweredInTime,
}
