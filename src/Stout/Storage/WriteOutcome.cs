namespace Stout.Storage;

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
