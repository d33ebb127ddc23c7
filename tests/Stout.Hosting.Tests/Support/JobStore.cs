using Stout.Storage;

namespace Stout.Hosting.Tests.Support;

/// <summary>A store whose partition has a background job, which fails and succeeds as the test says.</summary>
internal sealed class JobStore : IStorageProxy, IStorePartition
{
    private readonly InMemoryStore _inner = new();
    private IStorePartition? _partition;

    public BackgroundJob Job { get; } = new("sweep");

    public IReadOnlyList<BackgroundJob> BackgroundJobs => [Job];

    public StorageCapabilities Capabilities => _inner.Capabilities;

    public StorageLimits Limits => _inner.Limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _partition = (await _inner.OpenAsync(cancellationToken))[0];
        return [this];
    }

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => _partition!.WriteAsync(batch, cancellationToken);

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => _partition!.ReadAsync(batch, cancellationToken);

    public ValueTask DisposeAsync() => _inner.DisposeAsync();
}
