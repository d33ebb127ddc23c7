using Npgsql;
using Stout.PostgreSql;
using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A real store in a schema of its own on a PostgreSQL server.</summary>
/// <param name="connection">Npgsql's connection string.</param>
/// <param name="stall">Stops the server; null if it may not be stopped.</param>
/// <param name="flushDelay">The time that <c>commit_delay</c> adds to each flush of the log; null: no addition.</param>
internal sealed class PostgreSqlServer(string connection, IStall? stall, TimeSpan? flushDelay = null) : IRealStore
{
    private static readonly string[] Described = ["server_version", "fsync", "wal_sync_method", "shared_buffers", "commit_delay"];

    private readonly string _connection = flushDelay is { } delay
        ? new NpgsqlConnectionStringBuilder(connection) { Options = $"-c commit_delay={delay.TotalMicroseconds} -c commit_siblings=0" }.ConnectionString
        : connection;

    private readonly string _schema = $"experiments_{Guid.NewGuid():N}";

    public IStall? Stall => stall;

    public async Task<string> DescribeAsync(CancellationToken cancellationToken)
    {
        await using var source = NpgsqlDataSource.Create(_connection);
        var settings = new List<string>();
        try
        {
            foreach (var setting in Described)
            {
                await using var command = source.CreateCommand($"SHOW {setting}");
                settings.Add($"{setting} = {await command.ExecuteScalarAsync(cancellationToken)}");
            }
        }
        catch (NpgsqlException error)
        {
            throw new ExperimentException($"The server does not answer: {error.Message}", error);
        }

        return $"PostgreSQL, {string.Join(", ", settings)}{(flushDelay is { } delay ? $": each flush of the log takes {delay.TotalMilliseconds} ms longer" : "")}";
    }

    public IStorageProxy Connect() => new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [_connection], Schema = _schema });

    public async ValueTask DisposeAsync()
    {
        await using var source = NpgsqlDataSource.Create(_connection);
        await using var command = source.CreateCommand($"DROP SCHEMA IF EXISTS {_schema} CASCADE");
        try
        {
            await command.ExecuteNonQueryAsync();
        }
        catch (NpgsqlException error)
        {
            await Console.Error.WriteLineAsync($"The schema {_schema} is left behind: {error.Message}");
        }
    }
}
