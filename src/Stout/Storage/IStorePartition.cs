namespace Stout.Storage;

/// <summary>One independent database, table or container behind a proxy. Its calls may overlap.</summary>
public interface IStorePartition
{
    /// <summary>Commits the changes of the batch, and sets the outcome of every key with <see cref="WriteBatch.SetOutcome"/>.</summary>
    /// <remarks>
    /// <para>All changes of one key commit together or not at all, and only if the stored stamp is the key's <see cref="KeyWrite.Expected"/>. A
    /// stored stamp equal to <see cref="KeyWrite.Next"/> means an earlier commit: committed. A stored stamp of a larger epoch than <see
    /// cref="KeyWrite.Next"/>'s means fenced. Any other stamp means conflict.</para>
    /// <para>Committed means durable: the change survives the death of this process, of the store's process, and of the machine.</para>
    /// <para>A key without an outcome counts as <see cref="WriteOutcomeKind.Unknown"/>. So does every such key when the call throws, unless it throws
    /// a <see cref="StoreException"/> of a certain kind. The lane repeats unknown writes with the same stamps and bytes; the proxy need not.</para>
    /// <para>After the call the caller owns the batch and its memory again.</para>
    /// <para>The call must not block its thread, which serves the whole lane. After <see cref="StoutOptions.RequestTimeout"/> the lane counts the
    /// call as unknown and stops waiting. The token fires only at disposal, so a proxy needs time limits of its own.</para>
    /// </remarks>
    ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Reads header and parts of every key of the batch, each key as of one stamp, and sets each key's outcome. A key with an older epoch than <see
    /// cref="KeyRead.Claim"/>'s gets that stamp first, durably. From then on every write of an older epoch is fenced. An absent key gets no row.
    /// </summary>
    /// <remarks>
    /// A proxy may leave keys for a later request with <see cref="ReadOutcomeKind.LimitExceeded"/>, to bound the size of one answer. It reads at
    /// least one key. A read in several steps calls <see cref="ReadBatch.ReportProgress"/> after each step.
    /// </remarks>
    ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Lists the keys of existing objects in pages. Listed objects are durable. A key that exists from the first request to the last answer is on
    /// exactly one page; a key created or deleted meanwhile may be missing. A listing claims no key.
    /// </summary>
    /// <param name="listing">The prefix, the page size and the continuation.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The store could not be asked.</exception>
    /// <exception cref="NotSupportedException">The proxy cannot list; this is the default implementation.</exception>
    ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) =>
        throw new NotSupportedException("The store's proxy can't list keys.");
}
