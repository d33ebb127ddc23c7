using Azure;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>The epoch floor of a store partition, in a row of its own.</summary>
internal sealed class FloorRow(PartitionTable table) : EpochFloor
{
    protected override async ValueTask<(long Epoch, string? Tag)> ReadAsync(CancellationToken cancellationToken)
    {
        if (await table.FindAsync(RowKeys.Floor, select: null, cancellationToken).ConfigureAwait(false) is not { } row)
            return (0, null);
        return row.TryGetValue(Layout.Epoch, out var value) && value is long and >= 0 and var epoch
            ? (epoch, row.TagOf().ToString())
            : throw AzureTablesErrors.Damaged("The epoch floor");
    }

    protected override async ValueTask<bool> TryWriteAsync(long epoch, string? tag, CancellationToken cancellationToken)
    {
        using var body = table.NewTransaction();
        if (tag is null)
            body.BeginInsert(RowKeys.Floor);
        else
            body.BeginReplace(RowKeys.Floor, new ETag(tag));
        body.WriteNumber(Layout.Epoch, epoch);
        body.End();
        return await table.CommitOneAsync(body, cancellationToken).ConfigureAwait(false) is not null;
    }
}
