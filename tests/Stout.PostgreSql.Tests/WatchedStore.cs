using Stout.Storage;

namespace Stout.PostgreSql.Tests;

/// <summary>The errors of requests, as a test waits for them.</summary>
internal sealed class Refusals
{
    private readonly Lock _lock = new();
    private readonly List<StoreErrorKind> _kinds = [];
    private (StoreErrorKind Kind, int Count, TaskCompletionSource Reached)? _awaited;

    /// <summary>The kinds of the errors so far.</summary>
    public IReadOnlyList<StoreErrorKind> Kinds
    {
        get
        {
            lock (_lock)
                return [.. _kinds];
        }
    }

    /// <summary>Completes when so many further errors of a kind, or one that refuses, have come.</summary>
    public Task SeenAsync(StoreErrorKind kind, int more)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
            _awaited = (kind, _kinds.Count(seen => seen == kind) + more, reached);
        return reached.Task;
    }

    public void Note(Exception? error)
    {
        if (error is not StoreException { Kind: var kind })
            return;
        lock (_lock)
        {
            _kinds.Add(kind);
            if (_awaited is { } awaited && (kind == StoreErrorKind.Refused || _kinds.Count(seen => seen == awaited.Kind) >= awaited.Count))
                awaited.Reached.TrySetResult();
        }
    }
}

/// <summary>A store that notes the errors of its requests.</summary>
internal sealed class WatchedStore(IStorageProxy inner, Refusals refusals) : IStorageProxy
{
    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
        [.. (await inner.OpenAsync(cancellationToken)).Select(partition => new Partition(partition, refusals))];

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class Partition(IStorePartition inner, Refusals refusals) : IStorePartition
    {
        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            await inner.WriteAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
                refusals.Note(batch.OutcomeOf(i).Error);
        }

        public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            await inner.ReadAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
                refusals.Note(batch.OutcomeOf(i).Error);
        }
    }
}
