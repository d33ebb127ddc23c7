using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>The access to one state: that of its activation, of code outside the grain, or of a stateless worker.</summary>
internal interface IStateKey
{
    string StateName { get; }

    /// <summary>The position that a migrating grain hands over; null for an access that hands over nothing.</summary>
    KeyPosition? Position { get; }

    /// <summary>
    /// Whether no call is under way, the outcome of all changes is known, and the state is not lost. Otherwise the grain's memory may be ahead of the store.
    /// </summary>
    bool IsSettled { get; }

    /// <summary>The size of the state that was last read or written, in bytes.</summary>
    long Bytes { get; }

    /// <summary>Reads the state.</summary>
    /// <param name="former">The state in the former storage, from which it is imported; null without an import.</param>
    /// <param name="call">The call. After its end the work continues where it may have changed the owner.</param>
    /// <exception cref="StoutException">The state could not be read.</exception>
    /// <exception cref="OperationCanceledException">The call has ended before the read began.</exception>
    Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call);

    /// <summary>Writes or clears the state.</summary>
    /// <param name="next">The state: a value, a cleared one, or an absent one, of which nothing remains.</param>
    /// <param name="etag">The ETag of the state that is replaced.</param>
    /// <param name="former">As for <see cref="ReadAsync"/>.</param>
    /// <param name="call">The call. After its end no value is handed to Stout. The work waits for the outcome of one that was handed over before.</param>
    /// <returns>The new ETag.</returns>
    Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call);

    /// <summary>
    /// Ends the access. Completes when all changes are durable, or have failed; at once if a call is under way whose caller has stopped waiting.
    /// </summary>
    Task CloseAsync();
}
