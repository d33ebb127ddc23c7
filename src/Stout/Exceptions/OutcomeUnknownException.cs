namespace Stout;

/// <summary>The store may or may not contain the changes: they were sent, and no certain answer came. Fill the key again to see the stored state.</summary>
public sealed class OutcomeUnknownException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The error of the request, if any.</param>
    public OutcomeUnknownException(PartitionKey key, Exception? innerException = null)
        : base(key, "It is unknown whether the change was applied: it was sent, and no certain answer came back.", innerException)
    {
    }
}
