using System.Data;
using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Keys and stamps as rows of a table-valued parameter, created one by one while they are sent.</summary>
internal static class ReadRows
{
    public const string KeyType = "[stout].[key_read]";

    private static readonly SqlMetaData[] Columns =
    [
        new("n", SqlDbType.Int), new("key", SqlDbType.VarBinary, StoredKey.MaxKeyBytes), new("epoch", SqlDbType.BigInt),
        new("stamp", SqlDbType.VarBinary, Stamp.Bytes),
    ];

    /// <summary>The keys in order. All rows reuse one record.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="stampOf">Returns the stamp of a key by its batch index.</param>
    public static IEnumerable<SqlDataRecord> Of(KeyOrder keys, Func<int, Stamp> stampOf)
    {
        var row = new RecordWriter(Columns);
        for (var place = 0; place < keys.Count; place++)
        {
            var stamp = stampOf(keys.IndexAt(place));
            row.Set(0, place);
            row.Set(1, keys.BytesOf(place));
            row.Set(2, stamp.Epoch);
            row.Set(3, stamp);
            yield return row.Record;
        }
    }
}
