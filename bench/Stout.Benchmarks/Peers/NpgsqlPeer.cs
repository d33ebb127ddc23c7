using Npgsql;

namespace Stout.Benchmarks.Peers;

/// <summary>PostgreSQL by Npgsql alone: a prepared upsert for each write, over a pool of connections, or multiplexed over a few.</summary>
internal sealed class NpgsqlPeer : IPeer
{
    private readonly NpgsqlDataSource _source;

    private NpgsqlPeer(NpgsqlDataSource source) => _source = source;

    public string Durability => PeerComparison.PostgreSqlSync;

    public static async Task<IPeer> OpenAsync(string connection, bool isMultiplexed = false)
    {
        var peer = new NpgsqlPeer(NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(connection) { MaxAutoPrepare = 4, AutoPrepareMinUsages = 1, Multiplexing = isMultiplexed }));
        await using var table = peer._source.CreateCommand("CREATE TABLE IF NOT EXISTS player (id text PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70)");
        await table.ExecuteNonQueryAsync();
        return peer;
    }

    public async ValueTask WriteAsync(Player player)
    {
        await using var command = _source.CreateCommand("INSERT INTO player VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET value = excluded.value");
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = player.Id });
        command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = player.ToBytes() });
        await command.ExecuteNonQueryAsync();
    }

    public ValueTask DisposeAsync() => _source.DisposeAsync();
}
