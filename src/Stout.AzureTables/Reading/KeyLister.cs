using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Reading;

/// <summary>Lists keys. Part rows lie between headers, so a page may have fewer keys than the service has read rows.</summary>
internal sealed class KeyLister(PartitionTable table)
{
    private const int MostRows = 1_000;

    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        var prefix = RowKeys.Encode(listing.RowPrefix);
        var query = RowQuery.Range(table.Name, prefix.Length == 0 ? RowKeys.FirstOfKeys : prefix, prefix + RowKeys.AfterAllOfKeys) with
        {
            Select = Layout.ListedProperties,
            Top = Math.Min(listing.MostKeys, MostRows),
            From = listing.Continuation,
        };
        var page = await table.QueryAsync(query, cancellationToken).ConfigureAwait(false);
        return new KeyPage([.. page.Rows.Select(KeyOf).OfType<PartitionKey>().Where(key => listing.Has(key))], page.Next);
    }

    /// <summary>The key of a header whose object exists; null for other rows.</summary>
    private static PartitionKey? KeyOf(TableEntity row)
    {
        var name = row.RowKey.AsSpan();
        if (name is not [.. var key, RowKeys.Separator] || key.Contains(RowKeys.Separator) || row.TryGetValue(Layout.DeletedAt, out var deleted) && deleted is not null)
            return null;
        try
        {
            return LongKeys.Read(RowKeys.DecodeBytes(key), row.LongKeyOf());
        }
        catch (FormatException)
        {
            return null;
        }
    }
}
