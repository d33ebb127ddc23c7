using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>The epoch floor of a store partition, in an item of its own: no header that the service removes has a larger epoch.</summary>
/// <remarks>
/// <para>Headers without an object have a time to live, so no sweeper can raise the floor before the service removes such a header. Instead a client raises
/// the floor to the owner's epoch before the header gets its time to live.</para>
/// <para>A client raises the floor by 1. For a quarter of the retention it gives the new floor as the epoch to keys without an owner. So many first claims
/// share one request. A header that expires within that time changed for the last time before the client raised the floor, so its epoch is smaller.</para>
/// </remarks>
internal sealed class EpochFloor(PartitionRequests requests, string partitionKey, TimeSpan retention, TimeProvider time) : IDisposable
{
    // Each further attempt means that another client has raised the floor meanwhile.
    private const int MaxAttempts = 20;

    private readonly SemaphoreSlim _lock = new(1);
    private long _floor;
    private long _least = -1;
    private long? _base;
    private long _baseRead;

    /// <summary>Returns an epoch that no earlier header of a key exceeds, for the key's first claim.</summary>
    /// <exception cref="StoreException">The floor could not be read or raised.</exception>
    public async ValueTask<long> BaseAsync(CancellationToken cancellationToken)
    {
        await _lock.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_base is not { } known || time.GetElapsedTime(_baseRead) >= retention / 4)
            {
                var now = time.GetTimestamp();
                known = await RaiseLockedAsync(above: null, cancellationToken).ConfigureAwait(false);
                (_base, _baseRead) = (known, now);
            }

            return known;
        }
        finally
        {
            _lock.Release();
        }
    }

    /// <summary>
    /// A floor for the epochs of keys that have an owner. The first call reads it, later calls do not. Only <see cref="RaiseAllAsync"/> raises such a key's epoch
    /// above its header's, and that happens when a store is opened.
    /// </summary>
    /// <exception cref="StoreException">The floor could not be read.</exception>
    public async ValueTask<long> LeastAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _least) is >= 0 and var known)
            return known;
        var least = await requests.ReadJsonAsync(ItemIds.Floor, cancellationToken).ConfigureAwait(false) is { } json ? ItemReader.ReadOne(json).Epoch : 0;
        Volatile.Write(ref _least, least);
        return least;
    }

    /// <summary>Raises the floor durably to at least the given epoch, also for keys that have an owner.</summary>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAllAsync(long epoch, CancellationToken cancellationToken)
    {
        await RaiseAsync(epoch, cancellationToken).ConfigureAwait(false);
        await _lock.WaitAsync(cancellationToken).ConfigureAwait(false);
        _base = null;
        Volatile.Write(ref _least, -1);
        _lock.Release();
    }

    /// <summary>Raises the floor durably to at least the given epoch. Sends no request if this client has already seen such a floor.</summary>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAsync(long epoch, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _floor) >= epoch)
            return;
        await _lock.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_floor < epoch)
                await RaiseLockedAsync(epoch, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _lock.Release();
        }
    }

    public void Dispose() => _lock.Dispose();

    /// <param name="above">The epoch that the floor has to reach; null: one more than the floor.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The floor before the rise.</returns>
    private async ValueTask<long> RaiseLockedAsync(long? above, CancellationToken cancellationToken)
    {
        using var items = new ItemWriter(partitionKey);
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            var json = await requests.ReadJsonAsync(ItemIds.Floor, cancellationToken).ConfigureAwait(false);
            var item = json is { } found ? ItemReader.ReadOne(found) : null;
            var before = item?.Epoch ?? 0;
            if (above is { } epoch && before >= epoch)
            {
                Volatile.Write(ref _floor, before);
                return before;
            }

            var next = above ?? (before + 1);
            var change = item is null
                ? new ItemOperation(ItemOperationKind.Create, ItemIds.Floor, items.Floor(next))
                : new ItemOperation(ItemOperationKind.Replace, ItemIds.Floor, items.Floor(next), item.ETag);
            if ((await requests.ExecuteAsync([change], cancellationToken).ConfigureAwait(false)).IsCommitted)
            {
                Volatile.Write(ref _floor, next);
                return before;
            }
        }

        throw new StoreException(StoreErrorKind.Busy, "The epoch floor changes faster than it can be raised.");
    }
}
