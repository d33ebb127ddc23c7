namespace Stout;

/// <summary>
/// The store may or may not hold the changes: it was asked, and no answer could be had. Fill the key again to see.
/// </summary>
public sealed class OutcomeUnknownException : KeyException
{
    /// <summary>Reports changes that the store may or may not hold.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The error of the request, where there is one.</param>
    public OutcomeUnknownException(PartitionKey key, Exception? innerException = null)
        : base(key, "It is unknown whether the change was applied: it was sent, and no certain answer came back.", innerException)
    {
    }
}
