using System.Globalization;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>
/// A note for the sweeper, written in the transaction that makes something garbage: rows of a dead generation, or a deleted header. Notes
/// sort by the time from which on they are to be looked at, so what is due is a range, and nothing has to be scanned.
/// </summary>
/// <param name="Key">The key, as row keys have it.</param>
/// <param name="Generation">The generation whose rows are to go; null if there are none.</param>
/// <param name="Due">From when on.</param>
/// <param name="Stamp">The stamp of the write that made it; makes the note's name unique.</param>
internal sealed record Garbage(string Key, Stamp? Generation, DateTimeOffset Due, Stamp Stamp)
{
    /// <summary>What a note is read back as.</summary>
    /// <exception cref="StoreException">The row is damaged.</exception>
    public static Garbage Of(TableEntity row)
    {
        // The key goes into a query as it is, and what the query finds is removed.
        if (row.StampOf(Layout.Stamp) is not { } stamp || !row.TryGetValue(Layout.Key, out var key) || key is not string text || !RowKeys.IsKey(text))
            throw AzureTablesErrors.Damaged("A note for the sweeper");
        return new Garbage(text, row.StampOf(Layout.Generation), default, stamp);
    }

    /// <summary>What all notes sort before that are due later.</summary>
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
