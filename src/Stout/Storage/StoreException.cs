namespace Stout.Storage;

/// <summary>An error of a store or its proxy. It never contains a key, a value or a secret.</summary>
public sealed class StoreException : StoutException
{
    /// <summary>Creates the exception.</summary>
    public StoreException(StoreErrorKind kind, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Kind = kind;
    }

    /// <summary>The kind of error, which decides the lane's reaction.</summary>
    public StoreErrorKind Kind { get; }

    /// <summary>The extent of the error. Default: <see cref="StoreErrorScope.Request"/>.</summary>
    public StoreErrorScope Scope { get; init; }

    /// <summary>The delay that the store asked for, or null.</summary>
    public TimeSpan? RetryAfter { get; init; }
}
