namespace Stout.Storage;

/// <summary>One independent database, table or container behind a proxy. Its calls may overlap.</summary>
public interface IStorePartition
{
    /// <summary>
    /// Commits what the batch holds, and sets the outcome of every key with <see cref="WriteBatch.SetOutcome"/>.
    /// </summary>
    /// <remarks>
    /// <para>All changes of one key commit together or not at all, if and only if the stored stamp is the key's
    /// <see cref="KeyWrite.Expected"/>. If the stored stamp is <see cref="KeyWrite.Next"/> already, it was done before: committed.
    /// A stored stamp of a larger epoch than <see cref="KeyWrite.Next"/>'s: fenced. Any other: conflict.</para>
    /// <para>Committed means durable: it survives the death of this process, of the store's, and of the machine.</para>
    /// <para>A key without an outcome when the call ends counts as <see cref="WriteOutcomeKind.Unknown"/>; so does every such key
    /// when the call throws, unless it throws a <see cref="StoreException"/> whose kind is certain. The lane repeats an unknown write
    /// with the same stamps and bytes; the proxy need not.</para>
    /// <para>The batch and its memory belong to the caller again when the call ends.</para>
    /// <para>The call must not block its thread, which serves the whole lane. A call that takes longer than
    /// <see cref="StoutOptions.RequestTimeout"/> counts as unknown and is waited for no longer; its token fires only when the client is
    /// disposed, so a proxy keeps time limits of its own.</para>
    /// </remarks>
    ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Reads header and parts of every key of the batch, each key as of one stamp, and sets each key's result.
    /// A key that exists under an older epoch than <see cref="KeyRead.Claim"/>'s gets that stamp first, durably; from then on every
    /// write of an older epoch is fenced. No row is made for an absent key.
    /// </summary>
    /// <remarks>
    /// A proxy may leave keys for a later request by <see cref="ReadOutcomeKind.LimitExceeded"/>, so that one answer does not become too large,
    /// but it reads at least one. A read of several steps says so by <see cref="ReadBatch.ReportProgress"/> after each.
    /// </remarks>
    ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Lists the keys of objects that exist, in pages. What is listed is durable. A key whose object exists from the request for the first page to the answer
    /// with the last is on one page exactly; one that is made or deleted meanwhile may be missing. A listing claims nothing.
    /// </summary>
    /// <param name="listing">What is asked for.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The store could not be asked.</exception>
    /// <exception cref="NotSupportedException">The proxy can't list, which is what a proxy does that does not say otherwise.</exception>
    ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) =>
        throw new NotSupportedException("The store's proxy can't list keys.");
}
