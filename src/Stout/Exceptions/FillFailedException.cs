namespace Stout;

/// <summary>The key could not be filled; the inner exception tells why. Nothing was changed; fill again later.</summary>
public sealed class FillFailedException : KeyException
{
    /// <summary>Reports a key that could not be filled.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">Why the key could not be filled.</param>
    public FillFailedException(PartitionKey key, Exception innerException)
        : base(key, "The key could not be filled: " + innerException.Message, innerException)
    {
    }
}
