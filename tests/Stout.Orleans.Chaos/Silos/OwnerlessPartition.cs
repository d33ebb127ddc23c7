using Stout.Storage;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>A planted bug: the partition treats each write as a write of the key's present owner, so writes of former owners are not fenced.</summary>
internal sealed class OwnerlessPartition(IStorePartition inner) : IStorePartition
{
    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        var headers = new ReadBatch();
        for (var i = 0; i < batch.Count; i++)
            headers.Add(new KeyRead(batch[i].Key, KeyReadKind.Header));
        await inner.ReadAsync(headers, cancellationToken);
        var writes = new WriteBatch();
        for (var i = 0; i < batch.Count; i++)
            writes.Add(batch[i] with { Owner = headers.OutcomeOf(i).Owner }, batch.PartsOf(i));
        await inner.WriteAsync(writes, cancellationToken);
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, writes.OutcomeOf(i));
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => inner.ReadAsync(batch, cancellationToken);
}
