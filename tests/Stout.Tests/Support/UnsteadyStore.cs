using Stout.Storage;

namespace Stout.Tests.Support;

/// <summary>An in-memory store with limits of its own, which often refuses for now, or answers too late to be believed.</summary>
internal sealed class UnsteadyStore(StorageLimits limits, Random random) : IStorageProxy
{
    private readonly InMemoryStore _store = new();
    private readonly Lock _lock = new();
    private IStorePartition _inner = null!;

    public StorageCapabilities Capabilities => _store.Capabilities;

    public StorageLimits Limits => limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _inner = (await _store.OpenAsync(cancellationToken))[0];
        return [new UnsteadyPartition(this)];
    }

    /// <summary>The stored state of a key.</summary>
    public ReadOutcome Find(PartitionKey key)
    {
        var batch = new ReadBatch();
        batch.Add(new KeyRead(key));
        Assert.True(_inner.ReadAsync(batch, CancellationToken.None).AsTask().IsCompletedSuccessfully);
        return batch.OutcomeOf(0);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private int Draw(int below)
    {
        lock (_lock)
            return random.Next(below);
    }

    private sealed class UnsteadyPartition(UnsteadyStore store) : IStorePartition
    {
        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            var mood = store.Draw(10);
            if (mood < 2)
                await Task.Yield();
            if (mood is 2 or 3)
                throw new StoreException(StoreErrorKind.Overloaded, "Not now.");
            await store._inner.WriteAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
            {
                if (mood == 4)
                    batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Unknown));
            }
        }

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => store._inner.ReadAsync(batch, cancellationToken);
    }
}
