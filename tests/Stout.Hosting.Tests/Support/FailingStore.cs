using Stout.Storage;

namespace Stout.Hosting.Tests.Support;

/// <summary>A store that is unreachable for a number of writes. The next write waits until the test lets it through.</summary>
internal sealed class FailingStore(int failures) : IStorageProxy, IStorePartition
{
    private readonly InMemoryStore _inner = new();
    private readonly TaskCompletionSource _failed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _recovered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IStorePartition? _partition;
    private int _left = failures;

    public StorageCapabilities Capabilities => _inner.Capabilities;

    public StorageLimits Limits => _inner.Limits;

    /// <summary>Completes when the lane sends the first write after the last failure. By then the lane knows of that failure.</summary>
    public Task Failed => _failed.Task;

    public void Recover() => _recovered.TrySetResult();

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _partition = (await _inner.OpenAsync(cancellationToken))[0];
        return [this];
    }

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        if (_left-- > 0)
            throw new StoreException(StoreErrorKind.Unreachable, "Nobody there.");
        _failed.TrySetResult();
        await _recovered.Task;
        await _partition!.WriteAsync(batch, cancellationToken);
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => _partition!.ReadAsync(batch, cancellationToken);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
