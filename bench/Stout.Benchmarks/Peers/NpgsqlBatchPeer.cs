using Npgsql;
using NpgsqlTypes;

namespace Stout.Benchmarks.Peers;

/// <summary>
/// A typical hand-written writer on PostgreSQL: one connection, and one prepared upsert of arrays for all records that wait. With versions, the upsert
/// changes a record only from the version before, and its answer names each changed record.
/// </summary>
internal sealed class NpgsqlBatchPeer : IPeer
{
    private readonly NpgsqlDataSource _source;
    private readonly NpgsqlConnection _connection;
    private readonly NpgsqlCommand _upsert;
    private readonly ChannelWriter _writer;
    private readonly Dictionary<string, long> _versions = [];
    private readonly List<string> _ids = [];
    private readonly List<byte[]> _values = [];
    private readonly List<long> _next = [];

    private NpgsqlBatchPeer(NpgsqlDataSource source, NpgsqlConnection connection, string table, bool hasVersions)
    {
        (_source, _connection) = (source, connection);
        _upsert = connection.CreateCommand();
        _upsert.CommandText = hasVersions
            ? $"INSERT INTO {table} AS p SELECT * FROM unnest($1, $2, $3) ON CONFLICT (id) DO UPDATE SET value = excluded.value, version = excluded.version "
                + "WHERE p.version = excluded.version - 1 RETURNING id"
            : $"INSERT INTO {table} SELECT * FROM unnest($1, $2) ON CONFLICT (id) DO UPDATE SET value = excluded.value";
        Add(_ids, NpgsqlDbType.Text);
        Add(_values, NpgsqlDbType.Bytea);
        if (hasVersions)
            Add(_next, NpgsqlDbType.Bigint);
        _writer = new ChannelWriter(WriteAsync);
    }

    public string Durability => PeerComparison.PostgreSqlSync;

    public static async Task<IPeer> OpenAsync(string connection, bool hasVersions)
    {
        var source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(connection) { MaxAutoPrepare = 4, AutoPrepareMinUsages = 1 });
        var table = hasVersions ? "player_with_version" : "player_in_batches";
        await using (var create = source.CreateCommand(
            $"CREATE TABLE IF NOT EXISTS {table} (id text PRIMARY KEY, value bytea NOT NULL{(hasVersions ? ", version bigint NOT NULL" : "")}) WITH (fillfactor = 70)"))
        {
            await create.ExecuteNonQueryAsync();
        }

        return new NpgsqlBatchPeer(source, await source.OpenConnectionAsync(), table, hasVersions);
    }

    public ValueTask WriteAsync(Player player) => _writer.WriteAsync(player);

    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        await _upsert.DisposeAsync();
        await _connection.DisposeAsync();
        await _source.DisposeAsync();
    }

    // A writer waits for each record of its own, so a batch has each record once.
    private async ValueTask WriteAsync(List<Player> players)
    {
        _ids.Clear();
        _values.Clear();
        _next.Clear();
        foreach (var player in players)
        {
            _ids.Add(player.Id);
            _values.Add(player.ToBytes());
            _next.Add(_versions.GetValueOrDefault(player.Id) + 1);
        }

        await using var answer = await _upsert.ExecuteReaderAsync();
        if (_upsert.Parameters.Count < 3)
            return;
        var changed = 0;
        for (; await answer.ReadAsync(); changed++)
            _versions[answer.GetString(0)] = _versions.GetValueOrDefault(answer.GetString(0)) + 1;
        if (changed < players.Count)
            throw new InvalidOperationException("Another writer has changed a record.");
    }

    private void Add<T>(List<T> values, NpgsqlDbType type) =>
        _upsert.Parameters.Add(new NpgsqlParameter<List<T>> { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | type });
}
