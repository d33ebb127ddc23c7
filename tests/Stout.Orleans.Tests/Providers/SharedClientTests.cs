using Microsoft.Extensions.DependencyInjection;
using Npgsql;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.TestingHost;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Tests.Grains;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests.Providers;

/// <summary>Three providers of a silo on one Stout client.</summary>
[Collection(nameof(Alone))]
public sealed class SharedClientTests : IDisposable
{
    private const int Connections = 2;

    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-orleans-");
    private readonly string _application = Servers.NewName();

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Providers_share_connections_and_batches(bool isPostgreSql)
    {
        const int Grains = 40;
        var store = Open(isPostgreSql);
        await using var cluster = await StartAsync(store);
        var grains = Enumerable.Range(0, Grains).Select(i => cluster.Client.GetGrain<ITrioGrain>($"{i}")).ToArray();
        await Task.WhenAll(grains.Select(grain => grain.ReadAsync()));
        var client = cluster.ClientOf("Default");
        var before = client.GetStatistics();
        Task writing;
        using (var hold = store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes))
        {
            writing = Task.WhenAll(grains.Select(grain => grain.WriteAsync(7)));
            await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
            while (client.GetStatistics().DirtyKeys < 3 * Grains)
            {
                Cancel.ThrowIfCancellationRequested();
                await Task.Yield();
            }
        }

        await writing;
        var after = client.GetStatistics();
        Assert.Equal(3 * Grains, after.KeysWritten - before.KeysWritten);
        // The requests that were held have few keys, the next ones the rest.
        Assert.InRange(after.WriteRequests - before.WriteRequests, 1, Grains);
        Assert.Null(cluster.Silos[0].ServiceProvider.GetKeyedService<StoutClient>("profiles"));
        if (isPostgreSql)
            Assert.InRange(await CountConnectionsAsync(), 1, Connections);
        Assert.All(await Task.WhenAll(grains.Select(grain => grain.ReadAsync())), static numbers => Assert.Equal([7, 7, 7], numbers));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Subscriptions_beside_other_providers_lose_no_state(bool isPostgreSql)
    {
        const int Streams = 1_000;
        await using var cluster = await StartAsync(Open(isPostgreSql), static silo => silo.AddMemoryStreams("streams"));
        using var counters = new Counters();
        await Parallel.ForAsync(0, Streams, new ParallelOptions { MaxDegreeOfParallelism = 32, CancellationToken = Cancel }, async (i, _) =>
        {
            await cluster.Client.GetGrain<ISubscriberGrain>($"{i}").SubscribeAsync();
            await cluster.Client.GetGrain<ITrioGrain>($"{i % 50}").WriteAsync(i);
        });
        Assert.Equal(0, counters[StoutOrleansMeter.Losses]);
        var stored = 0;
        await foreach (var key in cluster.ClientOf("Default").ListKeysAsync($"{cluster.Options.ServiceId}/", Cancel))
            stored += key.Text.Contains("/pubsubrendezvous/", StringComparison.Ordinal) ? 1 : 0;
        Assert.Equal(Streams, stored);
    }

    private static Task<InProcessTestCluster> StartAsync(FaultyStore store, Action<ISiloBuilder>? configure = null) => TestCluster.StartAsync(1, silo =>
    {
        silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => store));
        silo.AddSharedStoutGrainStorage("PubSubStore", ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME);
        silo.AddSharedStoutGrainStorage("profiles", ProviderConstants.DEFAULT_STORAGE_PROVIDER_NAME, static options => options.KeyPrefix = "profiles");
        configure?.Invoke(silo);
    });

    private FaultyStore Open(bool isPostgreSql)
    {
        if (!isPostgreSql)
            return new FaultyStore(new SqliteStorage(new SqliteOptions { Path = Path.Combine(_folder.FullName, "grains.db") }));
        Assert.SkipWhen(Servers.MissingPostgreSql is not null, Servers.MissingPostgreSql ?? "");
        return new FaultyStore(new PostgreSqlStorage(new PostgreSqlOptions
        {
            ConnectionStrings = [$"{Servers.PostgreSql};Application Name={_application}"],
            Schema = _application,
            MaxConnections = Connections,
        }));
    }

    private async Task<long> CountConnectionsAsync()
    {
        await using var source = NpgsqlDataSource.Create(Servers.PostgreSql);
        await using var command = source.CreateCommand("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1");
        command.Parameters.Add(new() { Value = _application });
        return (long)(await command.ExecuteScalarAsync(Cancel))!;
    }
}
