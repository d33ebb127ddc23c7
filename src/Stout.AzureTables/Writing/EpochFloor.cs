using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>The epoch floor of a store partition, in a row of its own: no removed header had a larger epoch.</summary>
internal sealed class EpochFloor(PartitionTable table) : IDisposable
{
    // Each further attempt means that a sweeper of another process has raised the floor meanwhile.
    private const int MaxAttempts = 20;

    private readonly SemaphoreSlim _raising = new(1);
    private long _raised;
    private long _least = -1;

    /// <summary>Reads the current floor. If an earlier read found a key absent, the floor is at least the epoch of that key's removed header.</summary>
    public async ValueTask<long> ReadAsync(CancellationToken cancellationToken) =>
        await table.FindAsync(RowKeys.Floor, select: null, cancellationToken).ConfigureAwait(false) is { } row ? EpochOf(row) : 0;

    /// <summary>
    /// A floor for the epochs of keys that have an owner. The first call reads it, later calls do not. Only <see cref="RaiseAllAsync"/> raises such a key's epoch
    /// above its header's, and that happens when a store is opened.
    /// </summary>
    public async ValueTask<long> LeastAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _least) is >= 0 and var known)
            return known;
        var least = await ReadAsync(cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _least, least);
        return least;
    }

    /// <summary>Raises the floor durably to at least the given epoch, also for keys that have an owner.</summary>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAllAsync(long epoch, CancellationToken cancellationToken)
    {
        await RaiseAsync(epoch, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _least, -1);
    }

    /// <summary>Raises the floor durably to at least the given epoch. Sends no request if this process has already seen such a floor.</summary>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAsync(long epoch, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _raised) >= epoch)
            return;
        await _raising.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            for (var attempt = 0; attempt < MaxAttempts; attempt++)
            {
                if (await TryRaiseAsync(epoch, cancellationToken).ConfigureAwait(false))
                    return;
            }
        }
        finally
        {
            _raising.Release();
        }

        throw new StoreException(StoreErrorKind.Busy, "The epoch floor changes faster than it can be raised.");
    }

    public void Dispose() => _raising.Dispose();

    private static long EpochOf(TableEntity row) =>
        row.TryGetValue(Layout.Epoch, out var value) && value is long and >= 0 and var epoch ? epoch : throw AzureTablesErrors.Damaged("The epoch floor");

    private async ValueTask<bool> TryRaiseAsync(long epoch, CancellationToken cancellationToken)
    {
        var row = await table.FindAsync(RowKeys.Floor, select: null, cancellationToken).ConfigureAwait(false);
        if (row is not null && EpochOf(row) is var stored && stored >= epoch)
        {
            Volatile.Write(ref _raised, stored);
            return true;
        }

        using var body = table.NewTransaction();
        if (row is null)
            body.BeginInsert(RowKeys.Floor);
        else
            body.BeginReplace(RowKeys.Floor, row.TagOf());
        body.WriteNumber(Layout.Epoch, epoch);
        body.End();
        var answer = await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
        if (answer.ETags is null && !AzureTablesErrors.IsFailedCondition(answer.Status, answer.Code))
            throw AzureTablesErrors.Classify(answer.Status, answer.Code);
        if (answer.ETags is null)
            return false;
        Volatile.Write(ref _raised, epoch);
        return true;
    }
}
