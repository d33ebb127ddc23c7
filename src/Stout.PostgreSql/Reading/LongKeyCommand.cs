using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Reading;

/// <summary>The command that compares long keys with those that their headers keep. A request without a long key does not send this command.</summary>
internal sealed class LongKeyCommand : ReadCommand
{
    private readonly List<byte[]> _longKeys = [];

    public LongKeyCommand(string quotedSchema)
        : base($"""
            SELECT r.place, coalesce(h.long_key = r.long_key, false)
            FROM unnest($1, $2) WITH ORDINALITY AS r (key, long_key, place) JOIN {quotedSchema}.header h ON h.key = r.key
            """) =>
        Command.Parameters.Add(ArrayParameter.Of(_longKeys, NpgsqlDbType.Bytea));

    /// <summary>Adds a long key.</summary>
    /// <param name="key">The row key.</param>
    /// <param name="longKey">The key.</param>
    /// <param name="place">The key's place in the request.</param>
    public void Add(byte[] key, byte[] longKey, int place)
    {
        Add(key, place);
        _longKeys.Add(longKey);
    }

    public override void Clear()
    {
        base.Clear();
        _longKeys.Clear();
    }

    protected override void Take(NpgsqlDataReader row, ref FoundKey key) => key.SetComparison(row.GetBoolean(1));
}
