namespace Stout.Storage;

/// <summary>The outcome of writing one key.</summary>
/// <param name="Kind">The kind of outcome.</param>
/// <param name="Token">For a committed write: the proxy's token for the next write, or null.</param>
/// <param name="Error">For a failed write: the error, or null.</param>
/// <param name="RetryAfter">For overload and busy keys: the delay that the store asked for, or null.</param>
public readonly record struct WriteOutcome(
    WriteOutcomeKind Kind, object? Token = null, Exception? Error = null, TimeSpan? RetryAfter = null)
{
    /// <summary>For a fenced write: the epoch of the stored owner, 0 without an owner; null if it is unknown.</summary>
    public long? StoredEpoch { get; init; }

    /// <summary>The write was not applied, since the store holds another owner than the write names.</summary>
    /// <param name="owner">The stored owner; <see cref="KeyOwner.None"/> if the store does not have the key.</param>
    public static WriteOutcome FencedBy(in KeyOwner owner) => new(WriteOutcomeKind.Fenced) { StoredEpoch = owner.Epoch };

    /// <summary>Converts an exception of the proxy to an outcome.</summary>
    public static WriteOutcome Of(Exception error) => error is StoreException store
        ? new WriteOutcome(KindOf(store.Kind), Error: error, RetryAfter: store.RetryAfter)
        : new WriteOutcome(WriteOutcomeKind.Unknown, Error: error);

    /// <summary>The kind of outcome of a store's error, for writes and reads.</summary>
    internal static WriteOutcomeKind KindOf(StoreErrorKind error) => error switch
    {
        StoreErrorKind.Unreachable => WriteOutcomeKind.Unreachable,
        StoreErrorKind.Overloaded => WriteOutcomeKind.Overloaded,
        StoreErrorKind.Busy => WriteOutcomeKind.Busy,
        StoreErrorKind.LimitExceeded => WriteOutcomeKind.LimitExceeded,
        StoreErrorKind.Unknown => WriteOutcomeKind.Unknown,
        _ => WriteOutcomeKind.Refused,
    };
}
