namespace Stout;

/// <summary>What happened to one key: the root of the errors that fail everything which waits for it.</summary>
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
