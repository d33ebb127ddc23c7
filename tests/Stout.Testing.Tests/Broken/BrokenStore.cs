using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>
/// A proxy that breaks a promise on purpose: the in-memory store, with one change to its requests or answers. It reports that it is durable, since its
/// data outlive the proxy.
/// </summary>
internal sealed class BrokenStore(InMemoryStore inner, BrokenPromise broken, TroubledKeys troubled) : IStorageProxy
{
    public StorageCapabilities Capabilities => broken.Capabilities(inner.Capabilities with { Durable = true, AtomicBatches = false });

    public StorageLimits Limits => broken.Limits(inner.Limits);

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        broken.Opened();
        return [.. (await inner.OpenAsync(cancellationToken)).Select(partition => new BrokenPartition(partition, broken, troubled))];
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}

/// <summary>Sends every key in its own request, so that a fault can read the key's state in the store.</summary>
internal sealed class BrokenPartition(IStorePartition inner, BrokenPromise broken, TroubledKeys troubled) : IStorePartition
{
    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            if (troubled.OfWrite(batch[i].Key) is { } trouble)
                batch.SetOutcome(i, WriteOutcome.Of(trouble));
            else if (broken.Sends(batch, i))
                batch.SetOutcome(i, await broken.Write(this, batch[i], batch.PartsOf(i).ToArray()));
            else if (batch.OutcomeOf(i).Kind == WriteOutcomeKind.Unknown)
                batch.SetOutcome(i, new WriteOutcome(broken.OutcomeOfUnsent));
        }

        broken.AfterWrites(batch);
        if (cancellationToken.IsCancellationRequested && broken.ThrowsWhenCancelled is { } error)
        {
            for (var i = 0; i < batch.Count; i++)
                batch.SetOutcome(i, default);
            throw error;
        }
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var trouble = troubled.OfRead(batch[i]);
            if (trouble is { Kind: StoreErrorKind.KeyMismatch } && broken.ClaimsBeforeItCompares)
                await ReadAsync(batch[i]);
            batch.SetOutcome(i, trouble is null ? await broken.Read(this, batch[i]) : ReadOutcome.Of(trouble));
        }

        broken.AfterReads(batch);
    }

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) =>
        broken.RaisesNoEpochs ? default : inner.RaiseEpochFloorAsync(epoch, cancellationToken);

    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) =>
        await broken.List(this, listing) is var page && troubled.Others.Count == 0
            ? page
            : page with { Keys = [.. page.Keys.Where(key => !troubled.Others.ContainsKey(key.Text))] };

    /// <summary>Lists without the planted fault.</summary>
    public async Task<KeyPage> ListAsync(KeyListing listing) => await inner.ListAsync(listing, CancellationToken.None);

    /// <summary>Writes without the planted fault.</summary>
    public async Task<WriteOutcome> WriteAsync(KeyWrite write, params PartWrite[] parts)
    {
        var batch = new WriteBatch();
        batch.Add(write, parts);
        await inner.WriteAsync(batch, CancellationToken.None);
        return batch.OutcomeOf(0);
    }

    /// <summary>Reads without the planted fault.</summary>
    public async Task<ReadOutcome> ReadAsync(KeyRead read)
    {
        var batch = new ReadBatch();
        batch.Add(read);
        await inner.ReadAsync(batch, CancellationToken.None);
        return batch.OutcomeOf(0);
    }

    /// <summary>Reads the store without claiming the key.</summary>
    public Task<ReadOutcome> PeekAsync(PartitionKey key) => ReadAsync(new KeyRead(key));
}
