using Stout.Storage;

namespace Stout.Budgets.Tests;

/// <summary>A store that acknowledges every write at once and keeps nothing, so that tests measure the memory of Stout alone.</summary>
internal sealed class ForgetfulStore : IStorageProxy, IStorePartition
{
    public StorageCapabilities Capabilities { get; } = new() { Durable = false };

    public StorageLimits Limits { get; } = new InMemoryStore().Limits;

    public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => new([this]);

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Committed));
        return default;
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, ReadOutcome.NotFound(Stamp.Absent));
        return default;
    }

    public ValueTask DisposeAsync() => default;
}
