namespace Stout.Storage;

/// <summary>One independent database, table or container behind a proxy. Its calls may overlap.</summary>
/// <remarks>
/// The rows of a key are named by its row key (<see cref="LongKeys.RowKeyOf"/>). The header of a long key keeps the whole key from its first write or claim on.
/// </remarks>
public interface IStorePartition
{
    /// <summary>
    /// The best number of write requests in flight at this moment, if each carries an equal share of the keys. The default law of a store that one
    /// process has alone (see <see cref="StorageCapabilities.Shared"/>) allows as many write requests, and as many read requests. A wrapper of a
    /// partition forwards this property. Thread-safe, and never throws. At least 1. Default: 1.
    /// </summary>
    int PreferredInFlight => 1;

    /// <summary>
    /// The partition's background work, such as sweeps. The client reports the jobs' failures. A wrapper of a partition forwards this property. The list
    /// is complete when the store is open, and does not change. By default the list is empty.
    /// </summary>
    IReadOnlyList<BackgroundJob> BackgroundJobs => [];

    /// <summary>Commits the changes of the batch, and sets the outcome of every key with <see cref="WriteBatch.SetOutcome"/>.</summary>
    /// <remarks>
    /// <para>All changes of one key commit together or not at all. They commit if and only if the stored version is the key's <see
    /// cref="KeyWrite.Expected"/> and the stored owner is its <see cref="KeyWrite.Owner"/>. If the stored version is already <see
    /// cref="KeyWrite.Next"/>, under any owner, an earlier attempt was applied, and the outcome is committed. Otherwise the outcome is fenced if the
    /// stored owner differs, and a conflict if the stored version differs. A write does not change the owner.</para>
    /// <para>Committed means durable: it survives the death of this process, of the store's, and of the machine.</para>
    /// <para>A key without an outcome when the call ends or throws counts as <see cref="WriteOutcomeKind.Unknown"/>. If the call throws a <see
    /// cref="StoreException"/>, the exception's kind decides the outcome of these keys instead. The lane repeats an unknown write with the same stamps and
    /// bytes; the proxy need not.</para>
    /// <para>The batch and its memory belong to the caller again when the call ends.</para>
    /// <para>The call must not block its thread, which serves the whole lane. A call that takes longer than <see cref="StoutOptions.RequestTimeout"/>
    /// counts as unknown, and the lane stops waiting for it. Its token fires only when the client is disposed, so a proxy needs its own time
    /// limits.</para>
    /// </remarks>
    ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Reads every key of the batch as its <see cref="KeyRead.Kind"/> says, each key as of one version and one owner, and sets each key's result.
    /// </summary>
    /// <remarks>
    /// <para>A claim (<see cref="KeyReadKind.Claim"/>) compares the stored header and sets the owner in one atomic step, as <see cref="ClaimRule"/>
    /// says. It leaves the version alone. Header and parts are read after the claim, and the claim is durable before the key's outcome is set. If
    /// another claim changes the owner before that read, the key is fenced. A key that the store does not have gets a header without a version. If
    /// claims wait for locks, the proxy makes the claims of one batch in key order, to avoid deadlocks. A store without <see
    /// cref="StorageCapabilities.Claims"/> gets no claims.</para>
    /// <para>A read or a claim of a long key whose header keeps another key fails with <see cref="LongKeys.Mismatch"/>, and such a claim changes
    /// nothing.</para>
    /// <para>Before a header is removed, the partition's epoch floor is raised durably to the header's epoch. The header of a deleted key, or of a
    /// key that was claimed and never written, stays for <see cref="StorageLimits.DeletedHeaderRetention"/> after its last write or claim.</para>
    /// <para>A proxy may leave keys for a later request with <see cref="ReadOutcomeKind.LimitExceeded"/>, to bound one answer, but reads at least one key.
    /// A read of several steps calls <see cref="ReadBatch.ReportProgress"/> after each.</para>
    /// <para>The token fires when the lane no longer uses the answer. The proxy then ends the call soon and frees its memory.</para>
    /// </remarks>
    ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken);

    /// <summary>
    /// Raises the partition's epoch floor durably to an epoch. After the call, every claim that gives a key another owner gives it a larger epoch, even if the stored
    /// owner has a smaller one. This holds for claims of this client, and of clients that open the store later. If the floor is that high already, nothing changes.
    /// </summary>
    /// <param name="epoch">The epoch, 1 to <see cref="KeyClaim.MaxAtLeastEpoch"/>.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The floor could not be raised, or it is unknown whether it was.</exception>
    /// <exception cref="NotSupportedException">The proxy cannot raise the floor; this is the default implementation.</exception>
    ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) =>
        throw new NotSupportedException("The store's proxy can't raise epochs.");

    /// <summary>
    /// Lists the keys of existing objects in pages. Listed objects are durable. A key that exists from the first request to the last answer is on
    /// exactly one page. A key created or deleted meanwhile may be missing. A listing claims no key. It contains the whole keys, also of long keys, and
    /// accepts any prefix.
    /// </summary>
    /// <param name="listing">The prefix, the page size and the continuation.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The store could not be asked.</exception>
    /// <exception cref="NotSupportedException">The proxy cannot list; this is the default implementation.</exception>
    ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) =>
        throw new NotSupportedException("The store's proxy can't list keys.");
}
