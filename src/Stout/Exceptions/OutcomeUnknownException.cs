namespace Stout;

/// <summary>
/// The store may or may not contain the changes: they were sent and no certain answer came, or the time limit for an answer passed. <see cref="Reason"/> tells
/// which. Read again to see the state.
/// </summary>
public sealed class OutcomeUnknownException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The error of the request, if any.</param>
    public OutcomeUnknownException(PartitionKey key, Exception? innerException = null)
        : base(key, "It is unknown whether the change was applied: it was sent, and no certain answer came back.", innerException)
    {
    }

    /// <summary>Creates the exception with a reason.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="reason">The reason.</param>
    public OutcomeUnknownException(PartitionKey key, OutcomeUnknownReason reason)
        : base(
            key,
            reason == OutcomeUnknownReason.NotAnsweredInTime
                ? "It is unknown whether the change will be applied: the time limit for an answer passed. The change stays in memory, and may still become durable."
                : "It is unknown whether the change was applied: it was sent, and no certain answer came back.")
    {
        Reason = reason;
    }

    /// <summary>The reason. Default: <see cref="OutcomeUnknownReason.Unresolved"/>.</summary>
    public OutcomeUnknownReason Reason { get; }
}
