using Microsoft.Extensions.Time.Testing;
using System.Net;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

public sealed class SweeperTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public SweeperTests() => _store = new StandInStore(_time);

    private static PartWrite[] Many => [.. Enumerable.Range(0, KnownParts.MaxCount).Select(i => Part($"{i}", "x"))];

    private int Notes => _store.Ids.Count(id => id.StartsWith("g.", StringComparison.Ordinal));

    private int Parts => _store.Ids.Count(id => id != "identity" && !id.EndsWith(".h", StringComparison.Ordinal)) - Notes;

    [Fact]
    public async Task Parts_of_deleted_and_replaced_objects_go_and_those_of_living_ones_stay()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var many = Enumerable.Range(0, 90).Select(i => Part($"{i}", "x")).ToArray();
        var deleted = await FillAsync(store, "deleted", many);
        var replaced = await FillAsync(store, "replaced", many);
        await store.PutAsync("untouched", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("deleted", deleted, KeyWriteKind.Delete);
        await store.PutAsync("replaced", replaced, KeyWriteKind.Replace, parts: [Part("a", "new"), Part("b", "new")]);
        Assert.Equal((2, 363), (Notes, Parts));

        await SweepAsync(store);

        Assert.Equal((0, 3), (Notes, Parts));
        Assert.Equal("a=new b=new", Show(await store.ReadAsync("replaced")));
        Assert.Equal("a=1", Show(await store.ReadAsync("untouched")));
    }

    [Fact]
    public async Task Large_objects_that_are_replaced_again_and_again_leave_items_of_a_bounded_number_of_generations()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var parts = Enumerable.Range(0, 60).Select(i => Part($"{i}", "x")).ToArray();
        var stamp = Stamp.Absent;
        var most = 0;
        for (var round = 0; round < 300; round++)
        {
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: parts);
            most = Math.Max(most, Parts);
        }

        // At 64 dead generations a write waits for a sweep. Generations that were written while a sweep was under way are left in addition.
        Assert.InRange(most, parts.Length, 85 * parts.Length);
    }

    [Fact]
    public async Task Parts_of_replaced_and_deleted_objects_go_in_the_transactions_that_replace_and_delete_them()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1"), .. Many]);
        await store.AnotherWriter().ReadAsync("key");
        for (var round = 0; round < 5; round++)
        {
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("", "1"), Part("a", "1"), Part("b", "2")]);
            stamp = await store.PutAsync("key", stamp, parts: [Part("c", "3"), NoPart("b")]);

            // Cosmos DB removes an item one second after it was marked as removed.
            _time.Advance(TimeSpan.FromSeconds(2));
            Assert.Equal((0, 3), (Notes, Parts));
        }

        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((0, 0), (Notes, Parts));
    }

    [Fact]
    public async Task Second_disposal_ends_with_the_first_when_the_sweep_that_is_under_way_has_ended()
    {
        var storage = StandInStorage.Connect(_store, _time);
        await StoreClient.OpenAsync(storage);
        using var answered = new ManualResetEventSlim();
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _store.OnRequest = _ =>
        {
            asked.TrySetResult();
            answered.Wait();
            return null;
        };
        _time.Advance(TimeSpan.FromMinutes(2));
        await asked.Task;

        var first = storage.DisposeAsync().AsTask();
        var second = storage.DisposeAsync().AsTask();

        Assert.Equal((false, false), (first.IsCompleted, second.IsCompleted));
        answered.Set();
        await second;
        await first;
    }

    [Fact]
    public async Task Damaged_header_does_not_stop_the_sweeping_of_other_keys()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        foreach (var key in new[] { "a", "b", "c" })
        {
            var stamp = await FillAsync(store, key, Many);
            await store.PutAsync(key, stamp, KeyWriteKind.Replace, parts: [Part("x", "1")]);
        }

        _store.Damage("b", "s");
        await SweepAsync(store);

        Assert.Equal(1, Notes);
        Assert.Equal(2 + (2 * Many.Length) + 1, Parts);
    }

    [Fact]
    public async Task Work_that_another_process_left_is_done_by_the_next_that_opens_the_store()
    {
        await using (var dying = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time)))
        {
            var stamp = await FillAsync(dying, "key", Many);
            await dying.PutAsync("key", stamp, KeyWriteKind.Delete);
        }

        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await SweepAsync(store);

        Assert.Equal((0, 0), (Notes, Parts));
    }

    [Fact]
    public async Task Sweeper_that_meets_trouble_goes_on_later()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var stamp = await FillAsync(store, "key", Many);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        _store.OnRequest = request => request.Kind == "batch" ? new Trouble(HttpStatusCode.TooManyRequests) : null;
        await SweepAsync(store);
        Assert.Equal((1, 2 * Many.Length), (Notes, Parts));
        _store.OnRequest = null;

        await SweepAsync(store);

        Assert.Equal((0, 0), (Notes, Parts));
    }

    [Fact]
    public async Task Key_that_begins_anew_while_it_is_swept_keeps_its_parts()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await SweepAsync(store);
        var stamp = await FillAsync(store, "key", Many);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "2")]);
        var queries = 0;
        Task? writing = null;
        _store.OnRequest = request =>
        {
            // The write comes between the sweeper's query of the items and its query of the header.
            if (request.Kind == "query" && ++queries == 2)
                writing = Task.Run(() => store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "3")]));
            return null;
        };

        await SweepAsync(store);
        await writing!;
        _store.OnRequest = null;
        await SweepAsync(store);

        Assert.Equal("a=3", Show(await store.ReadAsync("key")));
        Assert.Equal((0, 1), (Notes, Parts));
    }

    [Fact]
    public async Task Deleted_header_goes_when_its_time_is_over_and_a_claim_starts_it_anew()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var retention = store.Proxy.Limits.DeletedHeaderRetention!.Value;
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        _time.Advance(retention / 2);
        await store.ClaimAsync("key");

        _time.Advance(retention - TimeSpan.FromSeconds(1));
        Assert.False((await store.ReadAsync("key")).Version.IsAbsent);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Fact]
    public async Task Key_that_came_back_does_not_expire()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        var stamp = await store.PutAsync("key", Stamp.Absent, KeyWriteKind.Delete);
        await store.PutAsync("key", stamp, parts: [Part("", "back")]);

        _time.Advance(store.Proxy.Limits.DeletedHeaderRetention!.Value * 2);

        Assert.Equal("=back", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Sweepers_with_nothing_to_do_ask_for_nothing()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await SweepAsync(store);
        _store.Requests.Clear();

        await SweepAsync(store);

        Assert.DoesNotContain(_store.Requests, request => request.Kind == "query");
    }

    private async Task SweepAsync(StoreClient store)
    {
        _time.Advance(TimeSpan.FromMinutes(2));
        await store.Proxy.RestAsync();
    }

    // Stores twice as many parts as a transaction can change.
    private static async Task<Stamp> FillAsync(StoreClient store, string key, PartWrite[] parts)
    {
        var stamp = await store.PutAsync(key, Stamp.Absent, parts: parts);
        return await store.PutAsync(key, stamp, parts: [.. parts.Select(part => Part("more " + part.SubKey.Text, "x"))]);
    }
}
