using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>
/// Shares one open store among several middle tiers, for a kind of store that permits a single opener. The store receives the batches of all tiers.
/// </summary>
internal sealed class SharedStore(IStorageProxy store) : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private Task<IReadOnlyList<IStorePartition>>? _opened;

    public IStorageProxy Connect() => new Connection(this, store);

    public ValueTask DisposeAsync() => store.DisposeAsync();

    private Task<IReadOnlyList<IStorePartition>> OpenAsync()
    {
        lock (_lock)
            return _opened ??= store.OpenAsync().AsTask();
    }

    private sealed class Connection(SharedStore shared, IStorageProxy store) : IStorageProxy
    {
        public StorageCapabilities Capabilities => store.Capabilities;

        public StorageLimits Limits => store.Limits;

        public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken) => await shared.OpenAsync().WaitAsync(cancellationToken);

        // Does not dispose of the store, since the other middle tiers use it too.
        public ValueTask DisposeAsync() => default;
    }
}
