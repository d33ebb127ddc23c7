using Stout.Storage;

namespace Stout.Tests.Shared;

/// <summary>A store whose partitions are wrapped by a test.</summary>
internal sealed class WrappedStorage(IStorageProxy inner, Func<IStorePartition, IStorePartition> wrap) : IStorageProxy
{
    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
        [.. (await inner.OpenAsync(cancellationToken)).Select(wrap)];

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
