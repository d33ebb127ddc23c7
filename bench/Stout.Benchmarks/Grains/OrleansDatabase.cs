using Npgsql;

namespace Stout.Benchmarks.Grains;

/// <summary>A database with Orleans' tables, on the PostgreSQL that STOUT_POSTGRES names. It is dropped when this object is disposed.</summary>
internal sealed class OrleansDatabase : IAsyncDisposable
{
    private static readonly string[] Scripts = ["orleans-postgresql.sql", "membership.sql"];
    private readonly string _server;
    private readonly string _name;

    private OrleansDatabase(string server, string name) => (_server, _name) = (server, name);

    /// <summary>Returns a connection string with a pool of a given size.</summary>
    public string Connect(int poolSize, bool prepares = false)
    {
        var connection = new NpgsqlConnectionStringBuilder(_server) { Database = _name, MaxPoolSize = poolSize };
        if (prepares)
            (connection.MaxAutoPrepare, connection.AutoPrepareMinUsages) = (20, 1);
        return connection.ConnectionString;
    }

    public static async Task<OrleansDatabase> CreateAsync()
    {
        var server = Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? throw new InvalidOperationException("STOUT_POSTGRES names no server.");
        var database = new OrleansDatabase(server, $"orleans_{Guid.NewGuid():N}");
        await ExecuteAsync(server, $"CREATE DATABASE {database._name}");
        foreach (var script in Scripts)
        {
            await using var stream = typeof(OrleansDatabase).Assembly.GetManifestResourceStream(script)!;
            await ExecuteAsync(database.Connect(poolSize: 1), await new StreamReader(stream).ReadToEndAsync());
        }

        await ExecuteAsync(database.Connect(poolSize: 1), JournalTable.Script);
        return database;
    }

    public async ValueTask DisposeAsync()
    {
        NpgsqlConnection.ClearAllPools();
        await ExecuteAsync(_server, $"DROP DATABASE {_name} WITH (FORCE)");
    }

    private static async Task ExecuteAsync(string connectionString, string sql)
    {
        await using var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
