using Microsoft.Data.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// The hand-written alternative: one connection, one prepared upsert, and transactions of a fixed number of rows, whose keys are drawn as by
/// <see cref="Workload"/>.
/// </summary>
internal sealed class DirectSqlite : IDisposable
{
    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _upsert;
    private readonly SqliteCommand _begin;
    private readonly SqliteCommand _commit;
    private readonly byte[][] _keys;
    private readonly byte[] _value;
    private readonly Random _random = new(1);
    private long _written;

    public DirectSqlite(string path, int keys, int valueBytes)
    {
        _connection = new SqliteConnection($"Data Source={path};Pooling=False");
        _connection.Open();
        Execute("PRAGMA journal_mode=WAL");
        Execute("PRAGMA synchronous=FULL");
        Execute("CREATE TABLE entry (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
        _upsert = Prepare("INSERT INTO entry VALUES ($key, $value) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
        _begin = Prepare("BEGIN IMMEDIATE");
        _commit = Prepare("COMMIT");
        _keys = [.. Enumerable.Range(0, keys).Select(i => System.Text.Encoding.UTF8.GetBytes($"key {i:D6}"))];
        _value = new byte[valueBytes];
        Random.Shared.NextBytes(_value);
        _upsert.Parameters.Add("$key", SqliteType.Blob);
        _upsert.Parameters.Add("$value", SqliteType.Blob).Value = _value;
    }

    public void Write(int rows)
    {
        var choices = _keys.Length / rows;
        _begin.ExecuteNonQuery();
        for (var i = 0; i < rows; i++)
        {
            // Changes the value each time: SQLite does not write a page whose bytes stay the same, and then has nothing to commit.
            BitConverter.TryWriteBytes(_value, ++_written);
            _upsert.Parameters[0].Value = _keys[i + (_random.Next(choices) * rows)];
            _upsert.ExecuteNonQuery();
        }

        _commit.ExecuteNonQuery();
    }

    public void Dispose()
    {
        _upsert.Dispose();
        _begin.Dispose();
        _commit.Dispose();
        _connection.Dispose();
    }

    private SqliteCommand Prepare(string sql)
    {
        var command = _connection.CreateCommand();
        command.CommandText = sql;
        return command;
    }

    private void Execute(string sql)
    {
        using var command = Prepare(sql);
        command.ExecuteNonQuery();
    }
}
