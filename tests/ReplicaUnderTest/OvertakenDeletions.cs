using Stout.Storage;

namespace ReplicaUnderTest;

/// <summary>
/// A planted bug: a partition that deletes an object although another replica has written it since. It waits a bounded time for such a write, so that
/// a short run shows the bug.
/// </summary>
internal sealed class OvertakenDeletions(IStorePartition inner) : IStorePartition
{
    private const int MostLooks = 50;

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        var changed = new WriteBatch();
        for (var i = 0; i < batch.Count; i++)
            changed.Add(batch[i].Kind == KeyWriteKind.Delete ? await OvertakenAsync(batch[i], cancellationToken) : batch[i], batch.PartsOf(i));
        await inner.WriteAsync(changed, cancellationToken);
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, changed.OutcomeOf(i));
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => inner.ReadAsync(batch, cancellationToken);

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => inner.ListAsync(listing, cancellationToken);

    private async Task<KeyWrite> OvertakenAsync(KeyWrite write, CancellationToken cancellationToken)
    {
        for (var look = 0; look < MostLooks; look++)
        {
            var batch = new ReadBatch();
            batch.Add(new KeyRead(write.Key, KeyReadKind.Header));
            await inner.ReadAsync(batch, cancellationToken);
            if (batch.OutcomeOf(0) is { Kind: ReadOutcomeKind.Read } read && read.Version != write.Expected)
                return write with { Expected = read.Version };
        }

        return write;
    }
}
