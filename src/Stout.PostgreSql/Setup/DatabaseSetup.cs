using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Sets up one database of a set over its own connection.</summary>
internal sealed class DatabaseSetup : IPartitionSetup, IAsyncDisposable
{
    private readonly NpgsqlConnection _connection;
    private readonly string _schema;

    private DatabaseSetup(NpgsqlConnection connection, string schema, int partition)
    {
        _connection = connection;
        _schema = schema;
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
            // Clients that start together wait for one another here, longer than a request waits for a key.
            var patience = FormattableString.Invariant($"{(long)options.Calls.Timeout.TotalMilliseconds}");
            await connection.ExecuteAsync($"SELECT set_config('lock_timeout', '{patience}', false)", cancellationToken).ConfigureAwait(false);
            await ServerCheck.CheckServerAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await SchemaScript.EnsureAsync(connection, options, cancellationToken).ConfigureAwait(false);
            await ServerCheck.CheckTablesAsync(connection, options, cancellationToken).ConfigureAwait(false);
            return new DatabaseSetup(connection, options.Schema, partition);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) =>
        await IdentityTable.ReadAsync(_connection, _schema, cancellationToken).ConfigureAwait(false);

    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken) =>
        await IdentityTable.JoinAsync(_connection, _schema, identity, cancellationToken).ConfigureAwait(false);

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken) =>
        await IdentityTable.MarkReadyAsync(_connection, _schema, cancellationToken).ConfigureAwait(false);

    public ValueTask DisposeAsync() => _connection.DisposeAsync();
}
