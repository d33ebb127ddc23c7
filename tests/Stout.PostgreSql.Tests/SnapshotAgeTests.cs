using System.Diagnostics.Metrics;
using Microsoft.Extensions.Time.Testing;
using Npgsql;
using Stout.Diagnostics;
using Stout.PostgreSql.Diagnostics;
using Stout.Testing;

namespace Stout.PostgreSql.Tests;

/// <summary>The age of the transaction that keeps the space of removed rows in use.</summary>
public sealed class SnapshotAgeTests(SharedServer server) : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly string _client = $"client {Guid.NewGuid()}";
    private readonly EventLog _log = new();

    public void Dispose() => _log.Dispose();

    [Theory]
    [InlineData("SELECT count(*) FROM pg_class", false, true)]
    [InlineData("SELECT count(*) FROM pg_class", true, false)]
    [InlineData("SELECT txid_current()", true, true)]
    public async Task Snapshot_that_another_transaction_keeps_is_measured_from_its_begin(string statement, bool isOfOtherDatabase, bool counts)
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        await using var other = await KeptDatabase.CreateAsync(server.ConnectionString);
        await using var store = await OpenAsync(database);
        await using var held = new NpgsqlConnection((isOfOtherDatabase ? other : database).ConnectionString);
        await held.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new NpgsqlCommand($"BEGIN ISOLATION LEVEL REPEATABLE READ; {statement}", held);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        var began = await database.AskAsync($"SELECT xact_start FROM pg_stat_activity WHERE pid = {held.ProcessID}");

        // Tests that run beside this one have transactions of their own, and so make the server's oldest older, never younger. They end soon.
        var measurements = counts ? 5 : 500;
        var youngest = double.MaxValue;
        for (var i = 0; i < measurements && youngest >= 0; i++)
        {
            var age = await AgeAsync(database, began!);
            youngest = Math.Min(youngest, await MeasureAsync(database) - age);
        }

        Assert.Equal(counts, youngest >= 0);
        Assert.Empty(_log.Ids);
    }

    [Fact]
    public async Task Role_that_does_not_see_the_activity_of_others_is_told_once_and_sweeps()
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        await (await database.OpenAsync()).DisposeAsync();
        var role = await database.CreateRoleAsync("GRANT USAGE ON SCHEMA stout TO @; GRANT ALL ON ALL TABLES IN SCHEMA stout TO @");
        await using var store = await OpenAsync(database, role);

        await MeasureAsync(database);
        await MeasureAsync(database);

        Assert.Equal([PostgreSqlTelemetry.ActivityHidden], _log.Ids);
        Assert.All(store.BackgroundJobs, static job => Assert.Null(job.Failure));
    }

    private Task<StoreClient> OpenAsync(KeptDatabase database, string? connectionString = null) => StoreClient.OpenAsync(new PostgreSqlStorage(
        database.Options with { ConnectionStrings = [connectionString ?? database.ConnectionString] },
        _time,
        new StoutDiagnostics { ClientName = _client, LoggerFactory = _log }));

    private static async Task<double> AgeAsync(KeptDatabase database, object began) =>
        (double)(await database.AskAsync($"SELECT extract(epoch FROM clock_timestamp() - '{began:O}'::timestamptz)::float8"))!;

    /// <summary>Lets the interval of the sweeps pass until a measurement comes.</summary>
    private async Task<double> MeasureAsync(KeptDatabase database)
    {
        var measured = new TaskCompletionSource<double>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == PostgreSqlTelemetry.SnapshotAge)
                listener.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) =>
        {
            if (tags.ToArray().Contains(new(StoutTelemetry.Tags.Client, _client)))
                measured.TrySetResult(value);
        });
        listener.Start();
        while (!measured.Task.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMinutes(1));
            await database.AskAsync("SELECT pg_sleep(0.01)");
        }

        return await measured.Task;
    }
}
