using Npgsql;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Reading;

/// <summary>The command that reads headers without values and parts.</summary>
internal sealed class HeaderCommand(string quotedSchema) : ReadCommand(
    $"""
    SELECT r.place, h.stamp, {HeaderStates.Expression} AS state, h.epoch, h.claim
    FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quotedSchema}.header h ON h.key = r.key
    """)
{
    protected override void Take(NpgsqlDataReader row, ref FoundKey key) =>
        key.SetHeader(StoredBytes.Read(row, 1), StoredOwner.Read(row, 3), (HeaderState)row.GetInt32(2), own: null, size: null);
}
