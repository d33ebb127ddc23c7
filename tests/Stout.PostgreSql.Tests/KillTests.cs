using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Tests that kill their server or change its settings, and so do not share it with others.</summary>
public sealed class KillTests : IAsyncLifetime
{
    private readonly OwnServer _server = new();

    private PostgreSqlOptions Options => new() { ConnectionStrings = [_server.ConnectionString] };

    public async ValueTask InitializeAsync() => await _server.StartAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [Fact]
    public async Task Server_that_is_killed_in_the_midst_of_batches_ten_times_loses_nothing_acknowledged_and_every_message_ends()
    {
        await using var service = await CountingService.OpenAsync(new PostgreSqlStorage(Options));
        using var stop = new CancellationTokenSource();
        var counting = service.CountAsync(64, stop.Token);
        for (var kill = 0; kill < 10; kill++)
        {
            await service.AcknowledgedAsync(500);
            await _server.KillAsync();
            await _server.StartAsync();
        }

        await service.AcknowledgedAsync(500);
        await stop.CancelAsync();
        await counting;
        await service.VerifyAsync(new PostgreSqlStorage(Options));
    }

    [Theory]
    [InlineData("fsync")]
    [InlineData("full_page_writes")]
    public async Task Server_that_may_lose_what_it_acknowledges_is_refused_unless_the_options_allow_it(string setting)
    {
        await SetAsync($"{setting} = off");

        var refusal = await Assert.ThrowsAsync<StoreException>(() => StoreClient.OpenAsync(new PostgreSqlStorage(Options)));

        Assert.Equal(StoreErrorKind.Refused, refusal.Kind);
        Assert.Contains(setting, refusal.Message, StringComparison.Ordinal);
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(Options with { AllowUnsafeServer = true }));
    }

    [Fact]
    public async Task Commit_that_no_standby_has_confirmed_is_not_acknowledged_not_even_when_it_is_repeated()
    {
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(Options with { Calls = new StoreCallOptions { Timeout = TimeSpan.FromMinutes(5) } }));
        await store.PutAsync("key", Stamp.Absent);
        var write = store.NewWrite("other", Stamp.Absent);
        await SetAsync("synchronous_standby_names = 'nobody'");

        var first = store.WriteAsync(write, Part("", "value"));
        await CancelWaitAsync();
        Assert.Equal(WriteOutcomeKind.Unknown, (await first).Kind);

        var repeated = store.WriteAsync(write, Part("", "value"));
        await CancelWaitAsync();
        Assert.Equal(WriteOutcomeKind.Unknown, (await repeated).Kind);

        await SetAsync("synchronous_standby_names = ''");
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "value"))).Kind);
    }

    [Fact]
    public async Task Claim_that_no_standby_has_confirmed_is_not_read_not_even_when_it_is_repeated()
    {
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(Options with { Calls = new StoreCallOptions { Timeout = TimeSpan.FromMinutes(5) } }));
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);
        var partition = store.PartitionOf(new PartitionKey("key"));
        var batch = new ReadBatch();
        Assert.SkipUnless(store.Proxy.Capabilities.Claims, "The store says that it can't: Claims.");
        batch.Add(new KeyRead(new PartitionKey("key"), KeyReadKind.Claim, new KeyClaim(Guid.NewGuid())));
        await SetAsync("synchronous_standby_names = 'nobody'");

        for (var attempt = 0; attempt < 2; attempt++)
        {
            var reading = store.ReadAsync(partition, batch);
            await CancelWaitAsync();
            await reading;
            Assert.Equal(ReadOutcomeKind.Unknown, batch.OutcomeOf(0).Kind);
        }

        await SetAsync("synchronous_standby_names = ''");
        await store.ReadAsync(partition, batch);
        Assert.Equal("=value", Show(batch.OutcomeOf(0)));
    }

    private async Task SetAsync(string setting)
    {
        await ExecuteAsync($"ALTER SYSTEM SET {setting}");
        await ExecuteAsync("SELECT pg_reload_conf()");
        var (name, value) = (setting.Split(" = ")[0], setting.Split(" = ")[1].Trim('\''));

        // A connection takes over the new settings of the file between two statements, so the test waits until this connection has done so.
        await using var connection = new Npgsql.NpgsqlConnection(_server.ConnectionString + ";Pooling=false");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await TestSchema.UntilAsync(connection, $"current_setting('{name}') = '{value}'");
    }

    private async Task CancelWaitAsync()
    {
        await using var connection = new Npgsql.NpgsqlConnection(_server.ConnectionString + ";Pooling=false");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await TestSchema.UntilAsync(connection, "EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')");
        await ExecuteAsync("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    }

    private Task<object?> ExecuteAsync(string sql) => TestDatabases.ExecuteOnAsync(_server.ConnectionString, sql);
}
