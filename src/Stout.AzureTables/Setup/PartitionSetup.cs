using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Setup;

/// <summary>Sets up one table partition with a row for its identity.</summary>
internal sealed class PartitionSetup(PartitionTable table, int partition) : IPartitionSetup
{
    private const string LayoutId = "Layout";

    public string Name => $"Partition {partition} of the table";

    public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) =>
        await FindAsync(cancellationToken).ConfigureAwait(false) is { } row ? IdentityOf(row) : null;

    // If another client has inserted or changed the row first, that client's row counts.
    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        var json = body.BeginInsert(RowKeys.Identity);
        json.WriteString(LayoutId, identity.Layout);
        json.WriteNumber(nameof(identity.Version), identity.Version);
        json.WriteString(nameof(identity.SetId), $"{identity.SetId}");
        json.WriteNumber(nameof(identity.Partition), identity.Partition);
        json.WriteNumber(nameof(identity.Partitions), identity.Partitions);
        json.WriteString(nameof(identity.Hash), identity.Hash);
        json.WriteBoolean(nameof(identity.IsReady), identity.IsReady);
        body.End();
        await table.CommitOneAsync(body, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        if (await FindAsync(cancellationToken).ConfigureAwait(false) is not { } row || IdentityOf(row) is not { IsReady: false })
            return;
        using var body = table.NewTransaction();
        body.BeginMerge(RowKeys.Identity, row.TagOf()).WriteBoolean(nameof(identity.IsReady), true);
        body.End();
        await table.CommitOneAsync(body, cancellationToken).ConfigureAwait(false);
    }

    private ValueTask<TableEntity?> FindAsync(CancellationToken cancellationToken) => table.FindAsync(RowKeys.Identity, select: null, cancellationToken);

    private PartitionIdentity IdentityOf(TableEntity row)
    {
        return new PartitionIdentity(
            Get<string>(LayoutId),
            Get<int>(nameof(PartitionIdentity.Version)),
            Guid.TryParse(Get<string>(nameof(PartitionIdentity.SetId)), out var set) ? set : throw LayoutMismatch(),
            Get<int>(nameof(PartitionIdentity.Partition)),
            Get<int>(nameof(PartitionIdentity.Partitions)),
            Get<string>(nameof(PartitionIdentity.Hash)),
            Get<bool>(nameof(PartitionIdentity.IsReady)));

        StoreException LayoutMismatch() => new(StoreErrorKind.LayoutMismatch, $"{Name} was not made by this library.");

        T Get<T>(string property) => row.TryGetValue(property, out var value) && value is T known
            ? known
            : throw LayoutMismatch();
    }
}
