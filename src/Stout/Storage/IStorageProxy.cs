namespace Stout.Storage;

/// <summary>The adapter for one kind of store. Stout's guarantees rest on the promises in the remarks of <see cref="IStorePartition"/>'s members.</summary>
public interface IStorageProxy : IAsyncDisposable
{
    /// <summary>The store's capabilities. For each flag that is false, the specification suite skips the tests that need it, and names the flag.</summary>
    StorageCapabilities Capabilities { get; }

    /// <summary>The limits of one request.</summary>
    StorageLimits Limits { get; }

    /// <summary>
    /// Connects, creates missing structures, and checks that every partition belongs to this proxy's set of partitions. Called once, before all other
    /// members.
    /// </summary>
    /// <returns>The store partitions, in the order of their slots; at least one.</returns>
    /// <exception cref="StoreException">The store can't be used; <see cref="StoreException.Kind"/> says why.</exception>
    ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default);
}
