using Microsoft.Extensions.Time.Testing;
using System.Globalization;
using System.Net;
using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.PostgreSql.Tests;

/// <summary>A store in a schema for one test, which can also query its tables.</summary>
internal sealed class TestSchema
{
    private readonly TestDatabases _databases;

    public TestSchema(TestDatabases databases)
    {
        _databases = databases;
        Options = new PostgreSqlOptions { ConnectionStrings = [.. databases.ConnectionStrings], Schema = databases.NewSchema() };
    }

    public FakeTimeProvider Time { get; } = new();

    public PostgreSqlOptions Options { get; set; }

    public string Quoted => SessionSettings.Quote(Options.Schema);

    public Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(new PostgreSqlStorage(Options, Time));

    public async Task<StoreException> RefusalAsync(PostgreSqlOptions? options = null)
    {
        await using var storage = new PostgreSqlStorage(options ?? Options, Time);
        return await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync());
    }

    /// <summary>Runs a statement in the first database, where <c>@</c> stands for the schema.</summary>
    public Task<object?> ExecuteAsync(string sql) => _databases.ExecuteAsync(sql.Replace("@", Quoted, StringComparison.Ordinal));

    public async Task<long> CountAsync(string table) =>
        Convert.ToInt64(await ExecuteAsync($"SELECT count(*) FROM @.{table}"), CultureInfo.InvariantCulture);

    /// <summary>Puts a proxy between the store and its server.</summary>
    public TcpProxy Intercept()
    {
        var settings = new NpgsqlConnectionStringBuilder(_databases.ConnectionString);
        var proxy = new TcpProxy(IPEndPoint.Parse($"{settings.Host}:{settings.Port}"));
        (settings.Host, settings.Port) = ("127.0.0.1", proxy.Port);
        Options = Options with { ConnectionStrings = [settings.ConnectionString] };
        return proxy;
    }

    /// <summary>Has another session run a statement, where <c>@</c> stands for the schema, and keep its locks.</summary>
    public Task<HeldRows> HoldAsync(string sql) => HeldRows.HoldAsync(_databases.ConnectionString, sql.Replace("@", Quoted, StringComparison.Ordinal));

    /// <summary>Opens a connection that is not the store's.</summary>
    public async Task<NpgsqlConnection> ConnectAsync()
    {
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(_databases.ConnectionString) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        return connection;
    }

    /// <summary>Polls the server every 10 ms until a condition holds.</summary>
    public async Task UntilAsync(string condition)
    {
        await using var connection = await ConnectAsync();
        await UntilAsync(connection, condition.Replace("@", Quoted, StringComparison.Ordinal));
    }

    public static async Task UntilAsync(NpgsqlConnection connection, string condition)
    {
        await using var command = new NpgsqlCommand($"SELECT {condition}, pg_sleep(0.01)", connection);
        while (!(bool)(await command.ExecuteScalarAsync(TestContext.Current.CancellationToken))!)
        {
        }
    }
}
