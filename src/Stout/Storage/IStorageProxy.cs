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
