using Npgsql;

namespace Stout.PostgreSql.Tests;

public abstract partial class TestDatabases(SharedServer server, int count)
{
    private readonly string _name = $"stout_{Guid.NewGuid():N}";
    private int _schemas;

    public IReadOnlyList<string> ConnectionStrings =>
        [.. Enumerable.Range(0, count).Select(i => new NpgsqlConnectionStringBuilder(server.ConnectionString) { Database = Name(i) }.ConnectionString)];

    public string ConnectionString => ConnectionStrings[0];

    /// <summary>The name of a schema that no other test of the class uses, with characters that must be quoted.</summary>
    public string NewSchema() => $"Test's \"{Interlocked.Increment(ref _schemas)}\"";

    private async Task CreateAsync()
    {
        for (var i = 0; i < count; i++)
            await ExecuteOnAsync(server.ConnectionString, $"CREATE DATABASE {Name(i)}");
    }

    private async Task DropAsync()
    {
        for (var i = 0; i < count; i++)
            await ExecuteOnAsync(server.ConnectionString, $"DROP DATABASE {Name(i)} WITH (FORCE)");
    }

    /// <summary>Runs a statement in the first database.</summary>
    /// <returns>The first value of the first row.</returns>
    public Task<object?> ExecuteAsync(string sql) => ExecuteOnAsync(ConnectionString, sql);

    internal static async Task<object?> ExecuteOnAsync(string connectionString, string sql)
    {
        await using var source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false });
        await using var command = source.CreateCommand(sql);
        return await command.ExecuteScalarAsync();
    }

    private string Name(int i) => $"{_name}_{i}";
}
