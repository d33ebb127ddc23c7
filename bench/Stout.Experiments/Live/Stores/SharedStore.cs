using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A store that one opener has for itself, in the hands of several middle tiers: their batches meet inside it.</summary>
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

        // It is the others' too.
        public ValueTask DisposeAsync() => default;
    }
}
