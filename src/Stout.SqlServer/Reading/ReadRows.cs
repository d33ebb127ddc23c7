using System.Data;
using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>The reads of a batch as rows of a table-valued parameter. The rows are created one by one while they are sent.</summary>
internal static class ReadRows
{
    public const string KeyType = "[stout].[key_read]";

    private static readonly SqlMetaData[] Columns =
    [
        new("n", SqlDbType.Int), new("key", SqlDbType.VarBinary, StoredKey.MaxKeyBytes), new("claim", SqlDbType.VarBinary, StoredOwner.ClaimBytes),
        new("least", SqlDbType.BigInt), new("from_stamp", SqlDbType.VarBinary, Stamp.Bytes), new("from_epoch", SqlDbType.BigInt),
        new("from_claim", SqlDbType.VarBinary, StoredOwner.ClaimBytes), new("parts", SqlDbType.Int),
    ];

    /// <summary>Some reads of a batch, in the order of their keys. All rows reuse one record.</summary>
    public static IEnumerable<SqlDataRecord> Of(KeyOrder keys, ReadBatch batch)
    {
        var row = new RecordWriter(Columns);
        for (var place = 0; place < keys.Count; place++)
        {
            var read = batch[keys.IndexAt(place)];
            Fill(row, keys, place, read.Claim, read.Claim?.OnlyIf);
            row.Set(7, read.ReadsParts ? 1 : 0);
            yield return row.Record;
        }
    }

    /// <summary>Keys in order, with their expected headers. All rows reuse one record.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="headerOf">Returns the expected header of a key by its index.</param>
    public static IEnumerable<SqlDataRecord> Of(KeyOrder keys, Func<int, KeyHeader> headerOf)
    {
        var row = new RecordWriter(Columns);
        for (var place = 0; place < keys.Count; place++)
        {
            Fill(row, keys, place, claim: null, headerOf(keys.IndexAt(place)));
            row.Set(7, 0);
            yield return row.Record;
        }
    }

    private static void Fill(RecordWriter row, KeyOrder keys, int place, KeyClaim? claim, KeyHeader? from)
    {
        row.Set(0, place);
        row.Set(1, keys.BytesOf(place));
        if (claim is null)
            row.SetNull(2);
        else
            row.Set(2, claim.Id);
        row.Set(3, claim?.AtLeastEpoch ?? 0);
        if (from is { } header)
        {
            row.Set(4, header.Version);
            row.Set(5, header.Owner.Epoch);
            row.Set(6, header.Owner.Claim);
        }
        else
        {
            row.SetNull(4);
            row.SetNull(5);
            row.SetNull(6);
        }
    }
}
