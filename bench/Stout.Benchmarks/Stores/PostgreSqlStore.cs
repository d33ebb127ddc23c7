using System.Diagnostics.Metrics;
using System.Text;
using Npgsql;
using Stout.PostgreSql;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>PostgreSQL: by hand, a prepared upsert over a pool of connections.</summary>
internal sealed class PostgreSqlStore : IComparedStore
{
    private readonly string _connection;
    private readonly string _schema = $"bench_{Guid.NewGuid():N}";
    private readonly MeterListener _meter = new();
    private NpgsqlDataSource _source;
    private int _proxies;
    private long _wireBytes;

    public PostgreSqlStore(string connection)
    {
        _connection = connection;
        _source = NpgsqlDataSource.Create(connection);
        _meter.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Npgsql" && (instrument.Name.EndsWith("bytes_written", StringComparison.Ordinal) || instrument.Name.EndsWith("bytes_read", StringComparison.Ordinal)))
                listener.EnableMeasurementEvents(instrument);
        };
        _meter.SetMeasurementEventCallback<long>((_, bytes, _, _) => Interlocked.Add(ref _wireBytes, bytes));
        _meter.Start();
    }

    public string Name => "PostgreSQL";

    public long? WireBytes => Interlocked.Read(ref _wireBytes);

    public IStorageProxy Connect() =>
        new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [_connection], Schema = $"{_schema}_{_proxies++}" });

    public async Task PreparePlainAsync(int writers)
    {
        await _source.DisposeAsync();
        _source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(_connection) { MaxPoolSize = writers, MaxAutoPrepare = 4, AutoPrepareMinUsages = 1 });
        await ExecuteAsync($"CREATE SCHEMA {_schema}; CREATE TABLE {_schema}.entry (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 70)");
    }

    public async Task WritePlainAsync(string key, ReadOnlyMemory<byte> value)
    {
        await using var command = _source.CreateCommand(
            $"INSERT INTO {_schema}.entry VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
        command.Parameters.Add(new NpgsqlParameter<byte[]> { TypedValue = Encoding.UTF8.GetBytes(key) });
        command.Parameters.Add(new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = value });
        await command.ExecuteNonQueryAsync();
    }

    public async Task<bool> AnswersAsync()
    {
        try
        {
            await using var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(_connection) { Pooling = false }.ConnectionString);
            await connection.OpenAsync();
            return true;
        }
        catch (NpgsqlException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        for (var i = 0; i < _proxies; i++)
            await ExecuteAsync($"DROP SCHEMA IF EXISTS {_schema}_{i} CASCADE");
        await ExecuteAsync($"DROP SCHEMA IF EXISTS {_schema} CASCADE");
        await _source.DisposeAsync();
        _meter.Dispose();
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = _source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
