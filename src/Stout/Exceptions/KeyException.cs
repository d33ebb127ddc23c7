namespace Stout;

/// <summary>The base class of errors that concern one key.</summary>
public abstract class KeyException : StoutException
{
    private protected KeyException(PartitionKey key, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Key = key;
    }

    /// <summary>The key concerned.</summary>
    public PartitionKey Key { get; }
}
