using System.Globalization;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>
/// A note for the sweeper, written in the transaction that creates garbage: rows of a dead generation, or a deleted header. Notes sort by due time,
/// so due notes form a range and nothing is scanned.
/// </summary>
/// <param name="Key">The encoded key.</param>
/// <param name="Generation">The dead generation, or null.</param>
/// <param name="Due">The due time.</param>
/// <param name="Stamp">The stamp of the write that created the garbage; it makes the note's name unique.</param>
internal sealed record Garbage(string Key, Stamp? Generation, DateTimeOffset Due, Stamp Stamp)
{
    /// <summary>Reads a note.</summary>
    /// <exception cref="StoreException">The row is damaged.</exception>
    public static Garbage Of(TableEntity row)
    {
        // A wrong key must not pass, since the sweeper deletes the rows that a query with this key finds.
        if (row.StampOf(Layout.Stamp) is not { } stamp || !row.TryGetValue(Layout.Key, out var key) || key is not string text || !RowKeys.IsKey(text))
            throw AzureTablesErrors.Damaged("A note for the sweeper");
        return new Garbage(text, row.StampOf(Layout.Generation), default, stamp);
    }

    /// <summary>The row key before which all due notes sort.</summary>
    public static string EndOfDue(DateTimeOffset now) => RowKeys.Garbage + Milliseconds(now.AddMilliseconds(1));

    public void AddTo(TransactionBody body)
    {
        var json = body.BeginReplace($"{RowKeys.Garbage}{Milliseconds(Due)}{RowKeys.Separator}{Stamp.ToHex()}", etag: null);
        json.WriteString(Layout.Key, Key);
        json.WriteString(Layout.Stamp, Stamp.ToHex());
        if (Generation is { } generation)
            json.WriteString(Layout.Generation, generation.ToHex());
        body.End();
    }

    private static string Milliseconds(DateTimeOffset time) => time.ToUnixTimeMilliseconds().ToString("x16", CultureInfo.InvariantCulture);
}
