using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Hosting.Tests;

public sealed class HostTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Named_ones_do_not_mix()
    {
        using var host = TestHost.Build(services =>
        {
            services.AddStout().UseInMemory().AddCollection<string>("notes");
            services.AddStout("orders", AtOnce).UseInMemory().AddCollection<string>("notes");
        });
        await host.StartAsync(Test);
        var plain = host.Services.GetRequiredService<DocumentCollection<string>>();
        var orders = host.Services.GetRequiredKeyedService<DocumentCollection<string>>("orders");
        await orders.UpdateAsync("a", _ => "an order", Test);
        Assert.Null(await plain.GetAsync("a", Test));
        Assert.Equal("an order", await orders.GetAsync("a", Test));
        Assert.Equal(0, host.Services.GetRequiredService<DocumentStore>().GetStatistics().Changes);
        Assert.Equal(1, host.Services.GetRequiredKeyedService<DocumentStore>("orders").GetStatistics().Changes);
        await host.StopAsync(Test);
    }

    [Fact]
    public async Task Two_collections_of_one_type_are_injected_by_their_names_and_not_without()
    {
        using var host = TestHost.Build(services =>
        {
            services.AddStout().UseInMemory().AddCollection<string>("drafts").AddCollection<string>("published").AddCollection<byte[]>("images");
            services.AddStout("orders", AtOnce).UseInMemory().AddCollection<string>("drafts");
        });
        await host.StartAsync(Test);
        var drafts = host.Services.GetRequiredKeyedService<DocumentCollection<string>>("drafts");
        await drafts.UpdateAsync("a", _ => "a draft", Test);
        Assert.Null(await host.Services.GetRequiredKeyedService<DocumentCollection<string>>("published").GetAsync("a", Test));
        Assert.Null(await host.Services.GetRequiredKeyedService<DocumentCollection<string>>("orders:drafts").GetAsync("a", Test));
        Assert.Equal("a draft", await drafts.GetAsync("a", Test));
        Assert.NotNull(host.Services.GetRequiredService<DocumentCollection<byte[]>>());

        var error = Assert.Throws<InvalidOperationException>(() => host.Services.GetRequiredService<DocumentCollection<string>>());
        Assert.Contains("drafts, published", error.Message, StringComparison.Ordinal);
        await host.StopAsync(Test);
    }

    [Fact]
    public async Task Hosted_service_registered_before_it_finds_it_open_when_it_starts_and_when_it_stops()
    {
        var store = new InMemoryStore();
        using (var host = TestHost.Build(services =>
        {
            services.AddHostedService<Worker>();
            services.AddStout(AtOnce).UseInMemory(store.Connect()).AddCollection<string>("notes");
        }))
        {
            await host.StartAsync(Test);
            await host.StopAsync(Test);
        }

        await using var documents = await DocumentStore.OpenAsync(store.Connect(), cancellationToken: Test);
        Assert.Equal("started, stopped", await documents.GetCollection<string>("notes").GetAsync("worker", Test));
    }

    [Fact]
    public async Task Stopping_the_host_waits_until_everything_is_durable()
    {
        var (store, log) = (new ControlledStore(), new RecordingLog());
        using var host = Build(store, log);
        await host.StartAsync(Test);
        var hold = store.HoldWrites();
        var change = host.Services.GetRequiredService<DocumentCollection<string>>().UpdateAsync("a", _ => "text", Test).AsTask();
        await hold.Arrived;
        var stop = host.StopAsync(Test);
        Assert.False(stop.IsCompleted);
        hold.Release();
        await stop;
        Assert.Equal("text", await change);
        Assert.Equal(
            [StoutLogEvents.Opened, StoutLogEvents.DrainBegun, StoutLogEvents.DrainEnded], log.Entries.Select(entry => entry.Id));
    }

    [Fact]
    public async Task Every_disposal_and_every_stop_waits_until_everything_is_durable()
    {
        var store = new ControlledStore();
        using var host = Build(store, new RecordingLog());
        await host.StartAsync(Test);
        var hold = store.HoldWrites();
        var notes = host.Services.GetRequiredService<DocumentCollection<string>>();
        var change = notes.UpdateAsync("a", _ => "text", Test).AsTask();
        await hold.Arrived;
        var instance = host.Services.GetRequiredKeyedService<StoutInstance>("");
        var documents = host.Services.GetRequiredService<DocumentStore>();
        var ends = new[]
        {
            host.StopAsync(Test), instance.StopAsync(Test), instance.DisposeAsync().AsTask(), documents.DisposeAsync().AsTask(), instance.DisposeAsync().AsTask(),
        };
        Assert.DoesNotContain(ends, end => end.IsCompleted);
        await Assert.ThrowsAsync<StoppedException>(() => notes.GetAsync("a", Test).AsTask());
        hold.Release();
        await ends[4];
        Assert.True(store.IsDisposed);
        await Task.WhenAll(ends);
        Assert.Equal("text", await change);
    }

    [Fact]
    public async Task Host_that_will_not_wait_cuts_the_drain_off_and_what_was_sent_fails_as_unknown()
    {
        var (store, log) = (new ControlledStore(), new RecordingLog());
        using var host = Build(store, log);
        await host.StartAsync(Test);
        var hold = store.HoldWrites();
        var change = host.Services.GetRequiredService<DocumentCollection<string>>().UpdateAsync("secret-id", _ => "text", Test).AsTask();
        await hold.Arrived;
        await host.StopAsync(TestHost.Cancelled).WaitAsync(Test);
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => change);
        Assert.Single(log.Of(StoutLogEvents.DrainAborted));
        Assert.Single(log.Of(StoutLogEvents.OutcomeUnknown));
        hold.Release();
    }

    [Fact]
    public async Task Store_that_can_not_be_opened_stops_the_start()
    {
        var path = Path.Combine(AppContext.BaseDirectory, "a-directory.db");
        Directory.CreateDirectory(path);
        using var host = TestHost.Build(services => services.AddStout().UseSqlite(path));
        await Assert.ThrowsAsync<StoreException>(() => host.StartAsync(Test));
    }

    [Fact]
    public async Task Documents_in_SQLite_named_by_the_configuration_outlive_the_host()
    {
        var path = Path.Combine(AppContext.BaseDirectory, $"outlive-{Guid.NewGuid():N}", "notes.db");
        for (var run = 1; run <= 2; run++)
        {
            using var host = TestHost.Build(
                services => services.AddStout("orders", AtOnce).UseSqlite().AddCollection<string>("notes"),
                settings: [("Stout:orders:Sqlite:Path", path), ("Stout:orders:Sqlite:Partitions", "2")]);
            await host.StartAsync(Test);
            var notes = host.Services.GetRequiredKeyedService<DocumentCollection<string>>("orders");
            Assert.Equal(run, (await notes.UpdateAsync("a", text => text + "x", Test))!.Length);
            await host.StopAsync(Test);
        }

        Assert.Equal(2, Directory.GetFiles(Path.GetDirectoryName(path)!, "notes.?.db").Length);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    [Fact]
    public async Task Base_layer_is_added_with_the_applications_callbacks()
    {
        using var host = TestHost.Build(services => services.AddStoutClient<Counters>("counters").UseInMemory());
        await host.StartAsync(Test);
        var client = host.Services.GetRequiredKeyedService<StoutClient>("counters");
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        key.MarkDirty();
        await key.WhenSafeAsync(Test);
        Assert.Equal(1, client.GetStatistics().KeysWritten);
        await host.StopAsync(Test);
        await Assert.ThrowsAsync<StoppedException>(() => client.FillAsync(new PartitionKey("b"), cancellationToken: Test).AsTask());
    }

    internal static void AtOnce(DocumentStoreOptions options) => options.Stout.Pacing = PacingLaws.NoBatching();

    private static IHost Build(ControlledStore store, RecordingLog log) => TestHost.Build(
        services => services.AddStout(AtOnce).UseStore(_ => store).AddCollection<string>("notes"), log);

    private sealed class Worker(DocumentCollection<string> notes) : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken) => await notes.UpdateAsync("worker", _ => "started", cancellationToken);

        public async Task StopAsync(CancellationToken cancellationToken) => await notes.UpdateAsync("worker", text => text + ", stopped", cancellationToken);
    }

    private sealed class Counters : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
        {
            for (var i = 0; i < batch.Count; i++)
                batch[i].Write(SubKey.Root).Advance(0);
            return default;
        }
    }
}
