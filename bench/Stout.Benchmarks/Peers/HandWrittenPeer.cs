using Microsoft.Data.Sqlite;

namespace Stout.Benchmarks.Peers;

/// <summary>A typical hand-written writer on SQLite: one transaction for all records that wait.</summary>
internal sealed class HandWrittenPeer : IPeer
{
    /// <summary>The settings by which Stout opens its files.</summary>
    public const string StoutSettings = "PRAGMA page_size=2048; PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=8000;";

    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _upsert;
    private readonly ChannelWriter _writer;

    /// <param name="path">The database file.</param>
    /// <param name="settings">Statements that set the connection up. Default: the empty text.</param>
    public HandWrittenPeer(string path, string settings = "")
    {
        _connection = new SqliteConnection($"Data Source={path};Pooling=False");
        _connection.Open();
        Execute(settings + "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE player (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
        _upsert = _connection.CreateCommand();
        _upsert.CommandText = "INSERT INTO player VALUES ($id, $value) ON CONFLICT (id) DO UPDATE SET value = excluded.value";
        _upsert.Parameters.Add("$id", SqliteType.Text);
        _upsert.Parameters.Add("$value", SqliteType.Blob);
        _writer = new ChannelWriter(Write);
    }

    public string Durability => PeerComparison.SqliteSync;

    public ValueTask WriteAsync(Player player) => _writer.WriteAsync(player);

    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        _upsert.Dispose();
        _connection.Dispose();
    }

    private ValueTask Write(List<Player> players)
    {
        using var transaction = _connection.BeginTransaction(deferred: false);
        _upsert.Transaction = transaction;
        foreach (var player in players)
        {
            (_upsert.Parameters[0].Value, _upsert.Parameters[1].Value) = (player.Id, player.ToBytes());
            _upsert.ExecuteNonQuery();
        }

        transaction.Commit();
        return default;
    }

    private void Execute(string sql)
    {
        using var command = _connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }
}
