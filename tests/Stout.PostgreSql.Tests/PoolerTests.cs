using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>The store behind PgBouncer, which drops the settings of a connection's start.</summary>
public sealed class PoolerTests(SharedServer server, Pooler pooler) : IAsyncDisposable
{
    private readonly string _schema = $"pooled {Guid.NewGuid():N}";

    public async ValueTask DisposeAsync()
    {
        if (!server.IsMissing)
            await TestDatabases.ExecuteOnAsync(server.ConnectionString, $"DROP SCHEMA IF EXISTS {SessionSettings.Quote(_schema)} CASCADE");
    }

    [Fact]
    public async Task Session_mode_serves_the_store_as_the_server_does()
    {
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(await OptionsAsync("session")));

        await LayoutContents.FillAsync(store);
        await LayoutContents.CheckAsync(store);
        var written = await Task.WhenAll(Enumerable.Range(0, 64).Select(i => store.WriteAsync(store.NewWrite($"key {i}", Stamp.Absent), Part("", "x"))));
        Assert.All(written, outcome => Assert.Equal(WriteOutcomeKind.Committed, outcome.Kind));
    }

    /// <summary>Without the setting the request would wait until its time limit, and its outcome would be unknown.</summary>
    [Fact]
    public async Task Session_mode_keeps_the_bound_of_waits_for_locks()
    {
        var options = await OptionsAsync("session");
        options.LockTimeout = TimeSpan.FromMilliseconds(10);
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(options));
        await using (await HeldRows.HoldAsync(server.ConnectionString, $"LOCK TABLE {SessionSettings.Quote(_schema)}.header"))
            Assert.Equal(WriteOutcomeKind.Busy, (await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"))).Kind);

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "x"))).Kind);
    }

    [Fact]
    public async Task Transaction_mode_is_refused_with_the_remedy_each_time_the_store_is_opened()
    {
        // The first time, no server connection has a statement of an earlier client.
        await Psql.RunAsync(await pooler.ConnectionStringAsync(server, "pgbouncer"), "-c", "RECONNECT transaction");
        for (var attempt = 0; attempt < 3; attempt++)
        {
            await using var storage = new PostgreSqlStorage(await OptionsAsync("transaction"));
            var refusal = await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));

            Assert.Equal(StoreErrorKind.Refused, refusal.Kind);
            Assert.Contains("transaction mode", refusal.Message, StringComparison.Ordinal);
            Assert.Contains("pool_mode = session", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("unsupported startup parameter: options")]
    [InlineData("unsupported startup parameter in options: plan_cache_mode")]
    public void Pooler_that_takes_no_options_is_refused_with_the_remedy(string message)
    {
        var refusal = PostgreSqlErrors.ClassifyConnecting(new PostgresException(message, "FATAL", "FATAL", PostgresErrorCodes.ProtocolViolation));

        Assert.Equal(StoreErrorKind.Refused, refusal.Kind);
        Assert.Contains("ignore_startup_parameters", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Setting_that_does_not_hold_is_found_by_its_name()
    {
        var settings = new WantedSettings(new PostgreSqlOptions());
        await using var source = SessionSettings.CreateDataSource(server.ConnectionString, new PostgreSqlOptions());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        Assert.Null(await settings.FindOtherAsync(connection, TestContext.Current.CancellationToken));
        foreach (var (name, value) in ((string, string)[])[("lock_timeout", "0"), ("client_min_messages", "error"), ("work_mem", "4MB")])
            Assert.Equal(name, await FindAfterAsync(connection, settings, name, value));
        await using var command = new NpgsqlCommand("SET lock_timeout = 0", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);

        await settings.EnsureAsync(connection, TestContext.Current.CancellationToken);

        Assert.Null(await settings.FindOtherAsync(connection, TestContext.Current.CancellationToken));
    }

    private static async Task<string?> FindAfterAsync(NpgsqlConnection connection, WantedSettings settings, string name, string value)
    {
        await using var command = new NpgsqlCommand($"SET {name} = '{value}'", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        var found = await settings.FindOtherAsync(connection, TestContext.Current.CancellationToken);
        command.CommandText = $"RESET {name}";
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        return found;
    }

    private async Task<PostgreSqlOptions> OptionsAsync(string mode) =>
        new() { ConnectionStrings = [await pooler.ConnectionStringAsync(server, mode)], Schema = _schema };
}
