using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Reading;

/// <summary>The command that reads whole keys.</summary>
/// <remarks>
/// One statement sees one state of the tables, so header and parts are of one stamp. The first rows come with their values, up to the byte
/// limit, unless a value is large. The others come with their sizes, which the server knows without reading the values.
/// </remarks>
internal sealed class KeyCommand : ReadCommand
{
    // A larger value is read by pages, whose pieces are progress. An incomplete row counts as no progress.
    private const int LargestValue = 1 << 20;

    private readonly NpgsqlParameter<long> _most = new() { NpgsqlDbType = NpgsqlDbType.Bigint };

    public KeyCommand(string quotedSchema)
        : base($"""
            SELECT place, stamp, state, subkey, CASE WHEN size <= {LargestValue} AND sum(CASE WHEN size <= {LargestValue} THEN size END) OVER (ROWS UNBOUNDED PRECEDING) <= $2 THEN value END, size, epoch, claim
            FROM (
                SELECT r.place, h.stamp, {HeaderStates.Expression} AS state, NULL::bytea AS subkey, h.value, octet_length(h.value) AS size, h.epoch, h.claim
                FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quotedSchema}.header h ON h.key = r.key
                UNION ALL
                SELECT r.place, NULL, NULL, p.subkey, p.value, octet_length(p.value), NULL, NULL
                FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quotedSchema}.header h ON h.key = r.key
                    JOIN {quotedSchema}.part p ON p.key = h.key AND p.generation = h.generation) found
            """) =>
        Command.Parameters.Add(_most);

    /// <summary>The most bytes of values in the answer.</summary>
    public long MostBytes
    {
        set => _most.TypedValue = value;
    }

    protected override void Take(NpgsqlDataReader row, ref FoundKey key)
    {
        var value = StoredBytes.Read(row, 4);
        int? size = row.IsDBNull(5) ? null : row.GetInt32(5);
        if (!row.IsDBNull(2))
            key.SetHeader(StoredBytes.Read(row, 1), StoredOwner.Read(row, 6), (HeaderState)row.GetInt32(2), value, size);
        else
            key.AddPart(StoredBytes.Read(row, 3), value, size);
    }
}
