using Npgsql;
using Stout.Testing;

namespace Stout.PostgreSql.Tests;

/// <summary>A database of its own with one store in the schema <c>stout</c>, restored from a dump or empty.</summary>
internal sealed class KeptDatabase : IAsyncDisposable
{
    private readonly string _server;
    private readonly List<string> _roles = [];
    private readonly string _name = $"stout_{Guid.NewGuid():N}";

    private KeptDatabase(string server)
    {
        _server = server;
        ConnectionString = new NpgsqlConnectionStringBuilder(server) { Database = _name }.ConnectionString;
    }

    public string ConnectionString { get; }

    public PostgreSqlOptions Options => new() { ConnectionStrings = [ConnectionString] };

    /// <summary>The dump of a layout's version.</summary>
    public static string FileOf(int version) => Path.Combine(
        Path.GetDirectoryName(Psql.SchemaFile)!, "..", "..", "..", "tests", "Stout.PostgreSql.Tests", "Layouts", FormattableString.Invariant($"{version}.sql"));

    public static async Task<KeptDatabase> CreateAsync(string server, string options = "")
    {
        var database = new KeptDatabase(server);
        await TestDatabases.ExecuteOnAsync(server, $"CREATE DATABASE {database._name} {options}");
        return database;
    }

    public static async Task<KeptDatabase> RestoreAsync(string server, int version)
    {
        var database = await CreateAsync(server);
        await Psql.RunAsync(database.ConnectionString, "-f", FileOf(version));
        return database;
    }

    public Task<StoreClient> OpenAsync(PostgreSqlOptions? options = null) => StoreClient.OpenAsync(new PostgreSqlStorage(options ?? Options));

    /// <summary>Opens another proxy of the database, and sweeps all garbage that can be swept now.</summary>
    public async Task SweepAsync()
    {
        await using var storage = new PostgreSqlStorage(Options);
        foreach (var partition in await storage.OpenAsync(TestContext.Current.CancellationToken))
            await ((PostgreSqlPartition)partition).Sweeper.SweepAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>Creates a login without rights of its own, which ends with the database.</summary>
    /// <returns>The database's connection string for the login.</returns>
    public async Task<string> CreateRoleAsync(string grants)
    {
        var role = $"role_{Guid.NewGuid():N}";
        _roles.Add(role);
        await AskAsync($"CREATE ROLE {role} LOGIN PASSWORD 'x'; {grants.Replace("@", role, StringComparison.Ordinal)}");
        return new NpgsqlConnectionStringBuilder(ConnectionString) { Username = role, Password = "x" }.ConnectionString;
    }

    public Task<object?> AskAsync(string sql) => TestDatabases.ExecuteOnAsync(ConnectionString, sql);

    public async ValueTask DisposeAsync()
    {
        await TestDatabases.ExecuteOnAsync(_server, $"DROP DATABASE {_name} WITH (FORCE)");
        foreach (var role in _roles)
            await TestDatabases.ExecuteOnAsync(_server, $"DROP ROLE {role}");
    }
}
