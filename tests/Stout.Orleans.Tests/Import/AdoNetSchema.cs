using Npgsql;
using Orleans.Hosting;

namespace Stout.Orleans.Tests.Import;

/// <summary>The tables of Orleans' ADO.NET storage, in a schema of their own.</summary>
internal sealed class AdoNetSchema : IAsyncDisposable
{
    private readonly string _name = Servers.NewName();

    private string ConnectionString => new NpgsqlConnectionStringBuilder(Servers.PostgreSql) { SearchPath = _name }.ConnectionString;

    public static async Task<AdoNetSchema> CreateAsync()
    {
        var schema = new AdoNetSchema();
        await using var stream = typeof(AdoNetSchema).Assembly.GetManifestResourceStream("orleans-postgresql.sql")!;
        await schema.ExecuteAsync($"CREATE SCHEMA {schema._name}");
        await schema.ExecuteAsync(await new StreamReader(stream).ReadToEndAsync());
        return schema;
    }

    public void Add(ISiloBuilder silo, string name) => silo.AddAdoNetGrainStorage(name, options =>
    {
        options.Invariant = "Npgsql";
        options.ConnectionString = ConnectionString;
    });

    /// <summary>The payloads of all records, as text.</summary>
    public async Task<List<string?>> PayloadsAsync()
    {
        await using var connection = new NpgsqlConnection(ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand("SELECT convert_from(payloadbinary, 'UTF8') FROM orleansstorage", connection);
        await using var reader = await command.ExecuteReaderAsync();
        var payloads = new List<string?>();
        while (await reader.ReadAsync())
            payloads.Add(await reader.IsDBNullAsync(0) ? null : reader.GetString(0));
        return payloads;
    }

    public async ValueTask DisposeAsync() => await ExecuteAsync($"DROP SCHEMA {_name} CASCADE");

    private async Task ExecuteAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(ConnectionString);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
