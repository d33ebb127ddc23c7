using System.Globalization;
using Stout.AzureTables.Rest;
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
    public static Garbage Of(Row row)
    {
        var generation = row[Layout.Generation] is { } text ? StampText.Parse(text) : default(Stamp?);
        return new Garbage(row[Layout.Key] ?? "", generation, default, StampText.Parse(row[Layout.Stamp]));
    }

    /// <summary>What all notes sort before that are due later.</summary>
    public static string EndOfDue(DateTimeOffset now) => RowKeys.Garbage + Milliseconds(now.AddMilliseconds(1));

    public void AddTo(TransactionBody body)
    {
        var json = body.BeginReplace($"{RowKeys.Garbage}{Milliseconds(Due)}{RowKeys.Separator}{StampText.Format(Stamp)}", etag: null);
        json.WriteString(Layout.Key, Key);
        json.WriteString(Layout.Stamp, StampText.Format(Stamp));
        if (Generation is { } generation)
            json.WriteString(Layout.Generation, StampText.Format(generation));
        body.End();
    }

    private static string Milliseconds(DateTimeOffset time) => time.ToUnixTimeMilliseconds().ToString("x16", CultureInfo.InvariantCulture);
}
