namespace Stout.Storage;

/// <summary>What was read of one key.</summary>
public readonly record struct ReadOutcome
{
    /// <summary>What became of the read.</summary>
    public ReadOutcomeKind Kind { get; private init; }

    /// <summary>The key's stamp: the stored one (of a deleted key too), or <see cref="Stamp.Absent"/>.</summary>
    public Stamp Stamp { get; private init; }

    /// <summary>What the proxy wants back with the next write's <see cref="KeyWrite.Expected"/>, or null.</summary>
    public object? Token { get; private init; }

    /// <summary>Whether the key exists: it was written and not deleted since.</summary>
    public bool Exists { get; private init; }

    /// <summary>The parts of a key that exists. The bytes stay valid for ever: they are the reader's own.</summary>
    public IReadOnlyList<StoredPart> Parts { get => field ?? []; private init; }

    /// <summary>Why it could not be read, or null.</summary>
    public Exception? Error { get; private init; }

    /// <summary>For overload and busy keys: how long the store asked to be left alone, or null.</summary>
    public TimeSpan? RetryAfter { get; private init; }

    /// <summary>The key exists.</summary>
    public static ReadOutcome Found(Stamp stamp, IReadOnlyList<StoredPart> parts, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Exists = true, Stamp = stamp, Parts = parts, Token = token };

    /// <summary>The key does not exist: never written (<see cref="Stamp.Absent"/>), or deleted (the header's stamp).</summary>
    public static ReadOutcome NotFound(Stamp stamp, object? token = null) =>
        new() { Kind = ReadOutcomeKind.Read, Stamp = stamp, Token = token };

    /// <summary>The store holds a stamp of a larger epoch than the reader's.</summary>
    public static ReadOutcome Fenced { get; } = new() { Kind = ReadOutcomeKind.Fenced };

    /// <summary>
    /// The outcome that an exception of the proxy stands for. An object that did not fit into memory is refused: reading it again would
    /// take as much, and the store has answered.
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
