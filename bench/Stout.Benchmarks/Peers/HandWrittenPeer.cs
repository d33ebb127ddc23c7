using System.Threading.Channels;
using Microsoft.Data.Sqlite;

namespace Stout.Benchmarks.Peers;

/// <summary>
/// A typical hand-written writer on SQLite: a channel, a task that reads it, and one transaction for at most 1,000 waiting records. It has no stamps, no
/// pacing, no bounds, and no handling of errors: the first error ends its task.
/// </summary>
internal sealed class HandWrittenPeer : IPeer
{
    private readonly Channel<(string Id, byte[] Value, TaskCompletionSource Done)> _waiting =
        Channel.CreateUnbounded<(string, byte[], TaskCompletionSource)>(new() { SingleReader = true });

    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _upsert;
    private readonly Task _writing;

    public HandWrittenPeer(string path)
    {
        _connection = new SqliteConnection($"Data Source={path};Pooling=False");
        _connection.Open();
        Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE player (id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
        _upsert = _connection.CreateCommand();
        _upsert.CommandText = "INSERT INTO player VALUES ($id, $value) ON CONFLICT (id) DO UPDATE SET value = excluded.value";
        _upsert.Parameters.Add("$id", SqliteType.Text);
        _upsert.Parameters.Add("$value", SqliteType.Blob);
        _writing = Task.Run(WriteAllAsync);
    }

    public string Durability => PeerComparison.SqliteSync;

    public ValueTask WriteAsync(Player player)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Writer.TryWrite((player.Id, player.ToBytes(), done));
        return new ValueTask(done.Task);
    }

    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.Complete();
        await _writing;
        _upsert.Dispose();
        _connection.Dispose();
    }

    private async Task WriteAllAsync()
    {
        List<TaskCompletionSource> written = [];
        while (await _waiting.Reader.WaitToReadAsync())
        {
            using var transaction = _connection.BeginTransaction(deferred: false);
            _upsert.Transaction = transaction;
            while (written.Count < 1000 && _waiting.Reader.TryRead(out var write))
            {
                (_upsert.Parameters[0].Value, _upsert.Parameters[1].Value) = (write.Id, write.Value);
                _upsert.ExecuteNonQuery();
                written.Add(write.Done);
            }

            transaction.Commit();
            foreach (var done in written)
                done.SetResult();
            written.Clear();
        }
    }

    private void Execute(string sql)
    {
        using var command = _connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }
}
