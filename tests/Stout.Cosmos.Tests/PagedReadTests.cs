using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>Reads of an object whose items do not fit on one page of a query.</summary>
public sealed class PagedReadTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task Write_between_two_pages_is_seen_whole_or_not_at_all(int page)
    {
        var time = new FakeTimeProvider();
        var service = new StandInStore(time);
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(service, time));
        var version = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "1"), Part("c", "1")]);
        service.PageSize = 1;
        var pages = 0;
        Task? write = null;
        service.OnTheWay = kind => kind == "query" && ++pages == page
            ? write ??= store.PutAsync("key", version, parts: [Part("a", "2"), Part("b", "2"), Part("c", "2")])
            : Task.CompletedTask;

        var read = Show(await store.ReadAsync("key"));

        Assert.NotNull(write);
        Assert.Equal("a=2 b=2 c=2", read);
    }

    [Fact]
    public async Task Key_that_changes_without_pause_is_busy_alone_and_the_store_does_not_count_as_silent()
    {
        var time = new FakeTimeProvider();
        var service = new StandInStore(time);
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(service, time));
        var version = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "0"), Part("b", "0")]);
        service.PageSize = 1;
        var writes = 0;
        service.OnTheWay = async kind =>
        {
            if (kind == "query")
                version = await store.PutAsync("key", version, parts: [Part("a", $"{++writes}")]);
        };
        var batch = new ReadBatch();
        batch.Add(new KeyRead(new PartitionKey("key")));

        await store.ReadAsync(store.PartitionOf(batch[0].Key), batch);

        Assert.Equal(ReadOutcomeKind.Busy, batch.OutcomeOf(0).Kind);
    }
}
