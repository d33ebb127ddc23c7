using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Setup;

/// <summary>Sets one table partition up: a row in it says which set it belongs to.</summary>
internal sealed class PartitionSetup(PartitionTable table, int partition) : IPartitionSetup
{
    private const string LayoutId = "Layout";

    public string Name => $"Partition {partition} of the table";

    public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) =>
        await FindAsync(cancellationToken).ConfigureAwait(false) is { } row ? IdentityOf(row) : null;

    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        var changes = table.NewChanges();
        var row = changes.Insert(RowKeys.Identity);
        row[LayoutId] = identity.Layout;
        row[nameof(identity.Version)] = identity.Version;
        row[nameof(identity.SetId)] = identity.SetId;
        row[nameof(identity.Partition)] = identity.Partition;
        row[nameof(identity.Partitions)] = identity.Partitions;
        row[nameof(identity.Hash)] = identity.Hash;
        row[nameof(identity.IsReady)] = identity.IsReady;
        await CommitAsync(changes, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        if (await FindAsync(cancellationToken).ConfigureAwait(false) is not { } row || IdentityOf(row) is not { IsReady: false })
            return;
        var changes = table.NewChanges();
        changes.Merge(RowKeys.Identity, row.TagOf())[nameof(identity.IsReady)] = true;
        await CommitAsync(changes, cancellationToken).ConfigureAwait(false);
    }

    private ValueTask<TableEntity?> FindAsync(CancellationToken cancellationToken) => table.FindAsync(RowKeys.Identity, select: null, cancellationToken);

    // Another client may have been faster; then its row holds.
    private async ValueTask CommitAsync(RowChanges changes, CancellationToken cancellationToken)
    {
        var answer = await table.CommitAsync(changes, cancellationToken).ConfigureAwait(false);
        if (answer.ETags is null && !AzureTablesErrors.IsFailedCondition(answer.Status, answer.Code))
            throw AzureTablesErrors.Classify(answer.Status, answer.Code);
    }

    private PartitionIdentity IdentityOf(TableEntity row)
    {
        return new PartitionIdentity(
            Get<string>(LayoutId),
            Get<int>(nameof(PartitionIdentity.Version)),
            Get<Guid>(nameof(PartitionIdentity.SetId)),
            Get<int>(nameof(PartitionIdentity.Partition)),
            Get<int>(nameof(PartitionIdentity.Partitions)),
            Get<string>(nameof(PartitionIdentity.Hash)),
            Get<bool>(nameof(PartitionIdentity.IsReady)));

        T Get<T>(string property) => row.TryGetValue(property, out var value) && value is T known
            ? known
            : throw new StoreException(StoreErrorKind.Foreign, $"{Name} was not made by this library.");
    }
}
