using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Reading;

/// <summary>The command that reads headers without values and parts.</summary>
internal sealed class HeaderCommand
{
    private readonly List<byte[]> _keys = [];
    private readonly List<int> _places = [];

    public HeaderCommand(string quotedSchema) => Command = new NpgsqlBatchCommand(
        $"""
        SELECT r.place, h.stamp, {HeaderStates.Expression} AS state, h.epoch, h.claim
        FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quotedSchema}.header h ON h.key = r.key
        """)
    {
        Parameters = { ArrayParameter.Of(_keys, NpgsqlDbType.Bytea) },
    };

    public NpgsqlBatchCommand Command { get; }

    /// <summary>Whether there is nothing to read.</summary>
    public bool IsEmpty => _keys.Count == 0;

    /// <summary>Adds a key.</summary>
    /// <param name="key">The key's UTF-8.</param>
    /// <param name="place">The key's place in the request.</param>
    public void Add(byte[] key, int place)
    {
        _keys.Add(key);
        _places.Add(place);
    }

    public void Clear()
    {
        _keys.Clear();
        _places.Clear();
    }

    /// <summary>Takes in one row of the answer.</summary>
    public void Take(NpgsqlDataReader row, FoundKey[] found) =>
        found[_places[(int)row.GetInt64(0) - 1]].SetHeader(StoredBytes.Read(row, 1), StoredOwner.Read(row, 3), (HeaderState)row.GetInt32(2), own: null, size: null);
}
