namespace Stout.Storage;

/// <summary>
/// The thin layer towards one kind of store. It promises what the project's guarantees stand on; the members' remarks say what.
/// </summary>
public interface IStorageProxy : IAsyncDisposable
{
    /// <summary>What the store can do; each false flag is a named skip of the specification suite.</summary>
    StorageCapabilities Capabilities { get; }

    /// <summary>What the store can take at once.</summary>
    StorageLimits Limits { get; }

    /// <summary>Connects, sets up what is missing, and checks that every partition belongs to this set. Called once, before all else.</summary>
    /// <returns>The store partitions, in the order of their slots; at least one.</returns>
    /// <exception cref="StoreException">The store can't be used; <see cref="StoreException.Kind"/> says why.</exception>
    ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default);
}

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
}

/// <summary>What a store can do.</summary>
public sealed record StorageCapabilities
{
    /// <summary>Whether what it acknowledges survives the death of process, store and machine.</summary>
    public bool Durable { get; init; } = true;

    /// <summary>
    /// Whether all keys of one batch commit in one transaction (each key's own changes always do), unless the store refuses one of them or
    /// something holds one.
    /// </summary>
    public bool AtomicBatches { get; init; }

    /// <summary>Whether a key can be claimed for a larger epoch.</summary>
    public bool Claims { get; init; } = true;

    /// <summary>Whether a connection's first requests take much longer than later ones: then opening makes a few of each kind.</summary>
    public bool WarmsUp { get; init; }

    /// <summary>Whether several clients, in processes or machines of their own, can have the store open at once.</summary>
    public bool Shared { get; init; } = true;
}

/// <summary>What a store can take at once. All sizes in bytes.</summary>
public sealed record StorageLimits
{
    /// <summary>The largest value of one part.</summary>
    public required long MaxValueBytes { get; init; }

    /// <summary>The most parts of one key that can change together.</summary>
    public required int MaxChangeSetParts { get; init; }

    /// <summary>The most bytes of one key's parts that can change together.</summary>
    public required long MaxChangeSetBytes { get; init; }

    /// <summary>The most keys in one batch, of writes or of reads.</summary>
    public required int MaxBatchKeys { get; init; }

    /// <summary>The most parts in one batch, all keys together.</summary>
    public int MaxBatchParts { get; init; } = int.MaxValue;

    /// <summary>The most bytes in one batch, all keys together. At least <see cref="MaxChangeSetBytes"/>.</summary>
    public required long MaxBatchBytes { get; init; }

    /// <summary>How long the header of a deleted key is kept at least; null: for ever. Handles on deleted keys close at half that time.</summary>
    public TimeSpan? DeletedHeaderRetention { get; init; }
}
