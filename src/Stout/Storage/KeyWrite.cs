namespace Stout.Storage;

/// <summary>One key's part of a write batch.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">What happens to the key's other parts.</param>
/// <param name="Expected">The stamp that the store must hold; <see cref="Stamp.Absent"/> for a key that it must not have.</param>
/// <param name="ExpectedToken">What the proxy returned with that stamp (an ETag, say), or null.</param>
/// <param name="Next">The stamp that the write leaves. It names one set of bytes for ever.</param>
public readonly record struct KeyWrite(PartitionKey Key, KeyWriteKind Kind, Stamp Expected, object? ExpectedToken, Stamp Next);

/// <summary>What a write does to the parts of its key that it does not name.</summary>
public enum KeyWriteKind
{
    /// <summary>They stay.</summary>
    Merge,

    /// <summary>They go: the write begins a new generation, which has the named parts alone.</summary>
    Replace,

    /// <summary>Everything goes: the header is written as deleted. Names no parts.</summary>
    Delete,
}

/// <summary>One part of a key's write.</summary>
/// <param name="SubKey">The part; empty for the object itself.</param>
/// <param name="IsDeleted">Whether the part goes. (A value of 0 bytes is a value.)</param>
/// <param name="Value">The part's bytes; empty if it goes.</param>
public readonly record struct PartWrite(SubKey SubKey, bool IsDeleted, ReadOnlyMemory<byte> Value);

/// <summary>What became of one key of a write batch.</summary>
public enum WriteOutcomeKind
{
    /// <summary>No certain answer: it may or may not have been applied.</summary>
    Unknown,

    /// <summary>Applied and durable.</summary>
    Committed,

    /// <summary>Not applied: the store holds another stamp than the expected one.</summary>
    Conflict,

    /// <summary>Not applied: the store holds a stamp of a larger epoch.</summary>
    Fenced,

    /// <summary>Not applied: the store is overloaded. It is tried again, after the store's retry-after where there is one.</summary>
    Overloaded,

    /// <summary>Not applied: the store could not be reached, nothing was sent. It is tried again.</summary>
    Unreachable,

    /// <summary>Not applied, and would not be if tried again.</summary>
    Refused,

    /// <summary>
    /// Not applied: something holds this key alone, such as another transaction's lock. The lane sends the key again after a growing delay
    /// of its own, or after the store's retry-after, for <see cref="StoutOptions.GiveUpAfter"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// Not applied: the request exceeded a limit of the store on the time or the size of one request. The lane sends the keys again. A key
    /// that was alone in its request is treated as <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

/// <summary>What became of one key of a write batch, with what goes with it.</summary>
/// <param name="Kind">What became of it.</param>
/// <param name="Token">For a committed write: what the proxy wants back with the next write's <see cref="KeyWrite.Expected"/>, or null.</param>
/// <param name="Error">For a write that was not committed: the cause, or null.</param>
/// <param name="RetryAfter">For overload and busy keys: how long the store asked to be left alone, or null.</param>
public readonly record struct WriteOutcome(
    WriteOutcomeKind Kind, object? Token = null, Exception? Error = null, TimeSpan? RetryAfter = null)
{
    /// <summary>The outcome that an exception of the proxy stands for.</summary>
    public static WriteOutcome Of(Exception error) => error is StoreException store
        ? new WriteOutcome(
            store.Kind switch
            {
                StoreErrorKind.Unreachable => WriteOutcomeKind.Unreachable,
                StoreErrorKind.Overloaded => WriteOutcomeKind.Overloaded,
                StoreErrorKind.Busy => WriteOutcomeKind.Busy,
                StoreErrorKind.LimitExceeded => WriteOutcomeKind.LimitExceeded,
                StoreErrorKind.Unknown => WriteOutcomeKind.Unknown,
                _ => WriteOutcomeKind.Refused,
            },
            Error: error,
            RetryAfter: store.RetryAfter)
        : new WriteOutcome(WriteOutcomeKind.Unknown, Error: error);
}
