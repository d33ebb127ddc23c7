namespace Stout;

/// <summary>The key could not be filled, or not within the time limit for an answer; see the inner exception. Nothing was changed; fill it again later.</summary>
public sealed class FillFailedException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The cause.</param>
    public FillFailedException(PartitionKey key, Exception innerException)
        : base(key, "The key could not be filled: " + innerException.Message, innerException)
    {
    }
}
