using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Sets up one database of a set over its own connection.</summary>
internal sealed class DatabaseSetup : IPartitionSetup, IAsyncDisposable
{
    private readonly NpgsqlConnection _connection;
    private readonly PostgreSqlOptions _options;

    private DatabaseSetup(NpgsqlConnection connection, PostgreSqlOptions options, int partition)
    {
        _connection = connection;
        _options = options;
        Name = $"Database {partition}";
    }

    public string Name { get; }

    /// <summary>Connects, checks the server, and creates a missing schema.</summary>
    /// <exception cref="StoreException">The server or its tables are unsafe, or the schema is missing or foreign.</exception>
    public static async Task<DatabaseSetup> OpenAsync(NpgsqlDataSource source, int partition, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var settings = new WantedSettings(options);
            await PoolerCheck.CheckAsync(connection, source, settings, cancellationToken).ConfigureAwait(false);
            await settings.EnsureAsync(connection, cancellationToken).ConfigureAwait(false);
            await ServerCheck.CheckServerAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await SchemaScript.EnsureAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await ServerCheck.CheckTablesAsync(connection, options, cancellationToken).ConfigureAwait(false);
            return new DatabaseSetup(connection, options, partition);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) =>
        await IdentityTable.ReadAsync(_connection, _options.Schema, cancellationToken).ConfigureAwait(false);

    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken) =>
        await IdentityTable.JoinAsync(_connection, _options, identity, cancellationToken).ConfigureAwait(false);

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken) =>
        await IdentityTable.MarkReadyAsync(_connection, _options, cancellationToken).ConfigureAwait(false);

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
