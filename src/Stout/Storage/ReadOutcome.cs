namespace Stout.Storage;

/// <summary>The outcome of reading one key.</summary>
public readonly record struct ReadOutcome
{
    /// <summary>The kind of outcome.</summary>
    public ReadOutcomeKind Kind { get; private init; }

    /// <summary>The stored stamp, also of a deleted key, or <see cref="Stamp.Absent"/>.</summary>
    public Stamp Stamp { get; private init; }

    /// <summary>The proxy's token for the next write with this stamp, or null.</summary>
    public object? Token { get; private init; }

    /// <summary>Whether the key exists: it was written, and not deleted since.</summary>
    public bool Exists { get; private init; }

    /// <summary>The parts of an existing key. The reader owns the bytes.</summary>
    public IReadOnlyList<StoredPart> Parts { get => field ?? []; private init; }

    /// <summary>The error, or null.</summary>
    public Exception? Error { get; private init; }

    /// <summary>For overload and busy keys: the delay that the store asked for, or null.</summary>
    public TimeSpan? RetryAfter { get; private init; }

    /// <summary>The key exists.</summary>
    public static ReadOutcome Found(Stamp stamp, IReadOnlyList<StoredPart> parts, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Exists = true, Stamp = stamp, Parts = parts, Token = token };

    /// <summary>The key does not exist: it was never written (<see cref="Stamp.Absent"/>), or was deleted (the header's stamp).</summary>
    public static ReadOutcome NotFound(Stamp stamp, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Stamp = stamp, Token = token };

    /// <summary>The store holds a stamp of a larger epoch than the reader's.</summary>
    public static ReadOutcome Fenced { get; } = new() { Kind = ReadOutcomeKind.Fenced };

    /// <summary>
    /// Converts an exception of the proxy to an outcome. An object that did not fit into memory is refused, since another attempt would need as much
    /// memory.
    /// </summary>
    public static ReadOutcome Of(Exception error)
    {
        if (error is OutOfMemoryException)
            error = new StoreException(StoreErrorKind.Refused, "The object does not fit into the memory that is left.", error);
        var store = error as StoreException;
        return new ReadOutcome
        {
            Kind = store?.Kind switch
            {
                null when error is ObjectTooLargeException => ReadOutcomeKind.Refused,
                null or StoreErrorKind.Unknown => ReadOutcomeKind.Unknown,
                StoreErrorKind.Unreachable => ReadOutcomeKind.Unreachable,
                StoreErrorKind.Overloaded => ReadOutcomeKind.Overloaded,
                StoreErrorKind.Busy => ReadOutcomeKind.Busy,
                StoreErrorKind.LimitExceeded => ReadOutcomeKind.LimitExceeded,
                _ => ReadOutcomeKind.Refused,
            },
            Error = error,
            RetryAfter = store?.RetryAfter,
        };
    }
}
