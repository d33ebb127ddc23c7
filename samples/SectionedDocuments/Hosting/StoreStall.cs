using Stout.Hosting;
using Stout.Storage;

namespace SectionedDocuments.Hosting;

/// <summary>Stalls and releases the store, in development only, to show the effects of a stalled store.</summary>
internal sealed class StoreStall
{
    private TaskCompletionSource? _released;

    public bool Stalled => Volatile.Read(ref _released) is not null;

    public void Begin() =>
        Interlocked.CompareExchange(ref _released, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), null);

    public void End() => Interlocked.Exchange(ref _released, null)?.SetResult();

    /// <summary>Completes at once, or, if the store is stalled, when the stall ends.</summary>
    public Task PassAsync(CancellationToken cancellationToken) =>
        Volatile.Read(ref _released)?.Task.WaitAsync(cancellationToken) ?? Task.CompletedTask;
}

internal static class StoreStallHosting
{
    /// <summary>In development, <see cref="StoreStall"/> can stall the store.</summary>
    public static StoutBuilder StallInDevelopment(this StoutBuilder stout, IHostEnvironment environment) => environment.IsDevelopment()
        ? stout.WrapStore((services, store) => new StallableStorage(store, services.GetRequiredService<StoreStall>()))
        : stout;
}

/// <summary>A store that answers no request while it is stalled.</summary>
internal sealed class StallableStorage(IStorageProxy inner, StoreStall stall) : IStorageProxy
{
    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
        [.. (await inner.OpenAsync(cancellationToken)).Select(partition => new StallablePartition(partition, stall))];

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}

internal sealed class StallablePartition(IStorePartition inner, StoreStall stall) : IStorePartition
{
    public int PreferredInFlight => inner.PreferredInFlight;

    public IReadOnlyList<BackgroundJob> BackgroundJobs => inner.BackgroundJobs;

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        await stall.PassAsync(cancellationToken);
        await inner.WriteAsync(batch, cancellationToken);
    }

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => inner.RaiseEpochFloorAsync(epoch, cancellationToken);

    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        await stall.PassAsync(cancellationToken);
        return await inner.ListAsync(listing, cancellationToken);
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        await stall.PassAsync(cancellationToken);
        await inner.ReadAsync(batch, cancellationToken);
    }
}
