using System.Data;
using Microsoft.Data.SqlClient;
using Microsoft.Data.SqlClient.Server;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// The long keys of a request (<see cref="LongKeys"/>) as rows of a table-valued parameter. A request without a long key has no such parameter.
/// </summary>
internal static class LongKeyRows
{
    /// <summary>The parameter's name.</summary>
    public const string Parameter = "@long";

    private const string Type = "[stout].[key_long]";

    private static readonly SqlMetaData[] Columns = [new("n", SqlDbType.Int), new("long_key", SqlDbType.VarBinary, PartitionKey.MaxBytes)];

    /// <summary>Whether any key is long.</summary>
    public static bool HasAny(KeyOrder keys)
    {
        for (var place = 0; place < keys.Count; place++)
        {
            if (StoredKey.IsLong(keys.BytesOf(place)))
                return true;
        }

        return false;
    }

    /// <summary>Adds the parameter to a command.</summary>
    /// <param name="parameters">The command's parameters.</param>
    /// <param name="schema">The schema's name.</param>
    /// <param name="keys">The keys, at least one of them long.</param>
    /// <param name="keyOf">Returns a key by its batch index.</param>
    public static void AddTo(SqlParameterCollection parameters, string schema, KeyOrder keys, Func<int, PartitionKey> keyOf) =>
        parameters.AddTable(Parameter, Layout.In(schema, Type), Of(keys, keyOf));

    private static IEnumerable<SqlDataRecord> Of(KeyOrder keys, Func<int, PartitionKey> keyOf)
    {
        var row = new RecordWriter(Columns);
        for (var place = 0; place < keys.Count; place++)
        {
            if (LongKeys.StoredOf(keyOf(keys.IndexAt(place))) is not { } stored)
                continue;
            row.Set(0, place);
            row.Set(1, (ReadOnlySpan<byte>)stored);
            yield return row.Record;
        }
    }
}
