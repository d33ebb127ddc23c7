using Microsoft.Extensions.Time.Testing;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.SqlServer.Sweeping;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.SqlServer.Tests;

/// <summary>A schema for one test on the server in STOUT_SQLSERVER. Without that variable the test is skipped.</summary>
internal sealed class ServerSchema : IAsyncDisposable
{
    public const string Variable = "STOUT_SQLSERVER";

    /// <summary>The server's connection string, or null.</summary>
    public static string? Server { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } server ? server : null;

    public string Name { get; } = $"stout_{Guid.NewGuid():N}";

    public FakeTimeProvider Time { get; } = new();

    public SqlServerOptions Options => new()
    {
        ConnectionStrings = [ServerOrSkip()],
        Schema = Name,

        // Long, since the tests must not depend on the speed of the server.
        Calls = new() { Timeout = TimeSpan.FromMinutes(2) },
    };

    public static string ServerOrSkip()
    {
        Assert.SkipWhen(Server is null, $"No SQL Server runs here: set {Variable} to the connection string of one.");
        return Server!;
    }

    public Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(new SqlServerStorage(Options, Time));

    /// <summary>Creates a second sweeper, which sweeps only when a test calls it.</summary>
    public Sweeper NewSweeper() => new(new Database(ServerOrSkip(), Options), Options, Time);

    public async Task<StoreException> RefusalAsync(SqlServerOptions? options = null)
    {
        await using var storage = new SqlServerStorage(options ?? Options, Time);
        return await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync());
    }

    /// <summary>Runs a query by SqlClient, without the store, and returns the first value of the first row.</summary>
    public async Task<T> AskAsync<T>(string sql) => (T)(await RowsAsync(sql))[0][0];

    /// <summary>All rows of a query. <c>stout</c> is the test's schema.</summary>
    public async Task<List<object[]>> RowsAsync(string sql)
    {
        await using var connection = new SqlConnection(ServerOrSkip());
        await connection.OpenAsync();
        await using var command = new SqlCommand(Layout.In(Name, sql), connection);
        var rows = new List<object[]>();
        await using (var reader = await command.ExecuteReaderAsync())
        {
            while (await reader.ReadAsync())
            {
                var row = new object[reader.FieldCount];
                reader.GetValues(row);
                rows.Add(row);
            }
        }

        // Babelfish answers a statement outside a transaction before it commits the statement. It answers the connection's next statement after the commit.
        await using var next = new SqlCommand("SELECT 1", connection);
        await next.ExecuteScalarAsync();
        return rows;
    }

    public async ValueTask DisposeAsync()
    {
        if (Server is null)
            return;
        await using var connection = new SqlConnection(Server);
        await connection.OpenAsync();
        foreach (var drop in SqlServerDrops.Of(Name))
        {
            await using var command = new SqlCommand(drop, connection);
            await command.ExecuteNonQueryAsync();
        }
    }
}
