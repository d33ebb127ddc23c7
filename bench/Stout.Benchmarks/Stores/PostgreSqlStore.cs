using System.Text;
using Npgsql;
using Stout.PostgreSql;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>PostgreSQL. A plain write is a prepared upsert over a pool of connections.</summary>
internal sealed class PostgreSqlStore(string connection) : IComparedStore
{
    private readonly string _schema = $"bench_{Guid.NewGuid():N}";
    private NpgsqlDataSource _source = NpgsqlDataSource.Create(connection);
    private int _proxies;

    public string Name => "PostgreSQL";

    public IStorageProxy Connect() =>
        new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [connection], Schema = $"{_schema}_{_proxies++}" });

    public async Task PreparePlainAsync(int writers)
    {
        await _source.DisposeAsync();
        _source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(connection) { MaxPoolSize = writers, MaxAutoPrepare = 4, AutoPrepareMinUsages = 1 });
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
            await using var fresh = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(connection) { Pooling = false }.ConnectionString);
            await fresh.OpenAsync();
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
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var command = _source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
