using Microsoft.Extensions.Time.Testing;
using System.Net;
using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Cosmos.Tests;

/// <summary>Opening a store creates its containers, or refuses.</summary>
public sealed class SetupTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public SetupTests() => _store = new StandInStore(_time);

    [Theory]
    [InlineData("Session")]
    [InlineData("ConsistentPrefix")]
    [InlineData("Eventual")]
    public async Task Account_whose_reads_may_be_old_is_refused(string consistency)
    {
        _store.Consistency = consistency;

        Assert.Contains(consistency, (await RefusedAsync(StoreErrorKind.Refused)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Strong")]
    [InlineData("BoundedStaleness")]
    public async Task Account_whose_reads_are_as_new_as_its_writes_is_opened(string consistency)
    {
        _store.Consistency = consistency;
        await using var store = StandInStorage.Connect(_store, _time);

        Assert.Single(await store.OpenAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Account_with_several_write_regions_is_refused()
    {
        _store.WriteRegions = ["one", "two"];

        await RefusedAsync(StoreErrorKind.Refused);
    }

    [Fact]
    public async Task Container_with_another_partition_key_is_refused()
    {
        _store.Properties.PartitionKeyPath = "/id";

        await RefusedAsync(StoreErrorKind.LayoutMismatch);
    }

    [Theory]
    [InlineData(3_600)]
    [InlineData(null)]
    public async Task Container_whose_items_would_expire_or_never_could_is_refused(int? timeToLive)
    {
        _store.Properties.DefaultTimeToLive = timeToLive;

        await RefusedAsync(StoreErrorKind.LayoutMismatch);
    }

    [Fact]
    public async Task Set_of_another_number_of_partitions_is_refused()
    {
        await OpenOnceAsync(3);

        await RefusedAsync(StoreErrorKind.LayoutMismatch, partitions: 4);
    }

    [Theory]
    [InlineData("0")]
    [InlineData("2")]
    public async Task Set_that_misses_a_partition_is_refused(string missing)
    {
        await OpenOnceAsync(3);
        _store.Remove(missing, "identity");

        Assert.Contains(missing, (await RefusedAsync(StoreErrorKind.LayoutMismatch, partitions: 3)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Set_whose_making_was_interrupted_anywhere_is_made_whole_by_the_next_start()
    {
        for (var requests = 1; requests < 20; requests++)
        {
            var store = new StandInStore(_time);
            var left = requests;
            store.OnRequest = _ => left-- > 0 ? null : new Trouble();
            await using (var dying = StandInStorage.Connect(store, _time, partitions: 3))
            {
                var error = await Record.ExceptionAsync(async () => await dying.OpenAsync(TestContext.Current.CancellationToken));
                Assert.True(error is null or StoreException { Kind: StoreErrorKind.Unknown }, $"{error}");
            }

            store.OnRequest = null;
            await using var next = StandInStorage.Connect(store, _time, partitions: 3);
            Assert.Equal(3, (await next.OpenAsync(TestContext.Current.CancellationToken)).Count);
        }
    }

    [Fact]
    public async Task Processes_that_start_at_once_agree_on_one_set()
    {
        var stores = Enumerable.Range(0, 10).Select(_ => StandInStorage.Connect(_store, _time, partitions: 5)).ToList();

        await Task.WhenAll(stores.Select(store => Task.Run(async () => await store.OpenAsync(TestContext.Current.CancellationToken))));

        Assert.Equal(5, _store.Ids.Count(id => id == "identity"));
        foreach (var store in stores)
            await store.DisposeAsync();
    }

    [Fact]
    public async Task Set_that_another_process_makes_whole_between_two_looks_is_taken()
    {
        await OpenOnceAsync(3);
        var looks = 0;

        // The first two reads find nothing, as before the other process's set-up. The third one reads partition 0 again.
        _store.OnRequest = request => request.Kind == "read" && looks++ < 2 ? new Trouble(HttpStatusCode.NotFound) : null;

        await OpenOnceAsync(3);

        Assert.True(looks > 3, "Nobody looked again.");
    }

    [Fact]
    public async Task Several_containers_hold_a_run_of_store_partitions_each()
    {
        var stores = new Dictionary<string, StandInStore> { ["a"] = new(_time), ["b"] = new(_time) };
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time, partitions: 5, configure: options =>
        {
            options.Containers.Clear();
            foreach (var name in stores.Keys)
                options.Containers.Add(new CosmosContainerOptions { Endpoint = $"https://{name}", Key = "a2V5" });
            options.CreateClient = place => new StandInClient(stores[place.Endpoint![^1..]]);
        }));

        Assert.Equal(5, store.Partitions);
        Assert.Equal((3, 2), (stores["a"].Ids.Count, stores["b"].Ids.Count));
        foreach (var i in Enumerable.Range(0, 20))
            await store.PutAsync($"key {i}", Stamp.Absent, parts: [StoreClient.Part("", "x")]);
        Assert.True(stores["a"].Ids.Count > 3 && stores["b"].Ids.Count > 2, "A container has no key.");
    }

    private async Task<StoreException> RefusedAsync(StoreErrorKind kind, int partitions = 1)
    {
        await using var store = StandInStorage.Connect(_store, _time, partitions);
        var error = await Assert.ThrowsAsync<StoreException>(async () => await store.OpenAsync(TestContext.Current.CancellationToken));
        Assert.True(kind == error.Kind, $"{error}");
        return error;
    }

    private async Task OpenOnceAsync(int partitions)
    {
        await using var store = StandInStorage.Connect(_store, _time, partitions);
        await store.OpenAsync(TestContext.Current.CancellationToken);
    }
}
