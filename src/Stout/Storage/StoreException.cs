namespace Stout.Storage;

/// <summary>What a store or its proxy reports when it can't do what it was asked. Never contains a key, a value or a secret.</summary>
public sealed class StoreException : StoutException
{
    /// <summary>Says what happened.</summary>
    public StoreException(StoreErrorKind kind, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Kind = kind;
    }

    /// <summary>What kind of trouble it is, and so what can be done.</summary>
    public StoreErrorKind Kind { get; }

    /// <summary>How much of the store meets the trouble. Default: <see cref="StoreErrorScope.Request"/>.</summary>
    public StoreErrorScope Scope { get; init; }

    /// <summary>How long the store asked to be left alone, where it said so.</summary>
    public TimeSpan? RetryAfter { get; init; }
}
