using Microsoft.Extensions.Time.Testing;
using System.Net;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>The number of requests of a batch, and the outcomes of a batch in which one key's condition fails.</summary>
public sealed class BatchTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _store;

    public BatchTests() => _store = new StandInStore(_time);

    private string Sent => string.Join(' ', _store.Requests.Select(request => request.Operations > 1 ? $"{request.Kind}:{request.Operations}" : request.Kind));

    [Fact]
    public async Task Object_that_is_replaced_takes_its_old_parts_along_only_if_they_fit_into_the_transaction()
    {
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        PartWrite[] old = [Part("", "own"), .. Enumerable.Range(0, 30).Select(static i => Part($"old {i}", "x"))];
        for (var parts = 66; parts <= 72; parts++)
        {
            var version = await store.PutAsync($"{parts}", Stamp.Absent, parts: old);

            // The stand-in asserts that a transaction has at most 100 operations.
            await store.PutAsync($"{parts}", version, KeyWriteKind.Replace, parts: [.. Enumerable.Range(0, parts).Select(static i => Part($"new {i}", "y"))]);

            Assert.Equal(parts, (await store.ReadAsync($"{parts}")).Parts.Count);
        }
    }

    [Fact]
    public async Task Lone_operation_goes_as_a_point_operation()
    {
        await using var store = await OpenAsync();

        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("", "2")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        Assert.Equal("create replace replace", Sent);
    }

    [Fact]
    public async Task Batch_of_64_keys_is_one_request_when_they_are_made_and_when_they_are_changed()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(64);
        var batch = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));
        await store.WriteAsync(batch);
        await store.WriteAsync(Batch(store, Enumerable.Range(0, 64).Select(i => store.NewWrite(keys[i], batch[i].Next))));

        Assert.Equal("batch:64 batch:64", Sent);
    }

    [Fact]
    public async Task Key_with_parts_is_one_transaction_of_its_header_and_the_parts_that_change()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self"), Part("a", "1"), Part("b", "2")]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("b", "3")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        Assert.Equal("batch:4 batch:2 batch:4", Sent);
    }

    [Fact]
    public async Task Object_leaves_its_header_with_its_first_part_and_is_read_for_that_once()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self")]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, parts: [Part("a", "2")]);

        Assert.Equal("create read batch:3 batch:2", Sent);
        Assert.Equal("=self a=2", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Batch_of_more_than_a_hundred_operations_is_several_transactions_and_no_key_is_in_two()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(45);

        await store.WriteAsync(Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)), Part("a", "1"), Part("b", "2")));

        Assert.Equal("batch:99 batch:36", Sent);
    }

    [Fact]
    public async Task Key_whose_condition_fails_is_settled_by_a_read_and_the_others_are_sent_again()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(10);
        await store.PutAsync(keys[3], Stamp.Absent, parts: [Part("", "there")]);
        _store.Requests.Clear();
        var batch = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));

        await store.WriteAsync(batch);

        Assert.Equal("batch:10 read batch:9", Sent);
        for (var i = 0; i < 10; i++)
            Assert.Equal(i == 3 ? WriteOutcomeKind.Conflict : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
    }

    [Fact]
    public async Task Server_that_has_lost_all_its_keys_learns_it_in_a_few_rounds()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(50);
        var first = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));
        await store.WriteAsync(first);
        foreach (var key in keys)
            await store.ClaimAsync(key);
        _store.Requests.Clear();
        var late = Batch(store, Enumerable.Range(0, 50).Select(i => store.NewWrite(keys[i], first[i].Next)));

        await store.WriteAsync(late);

        Assert.All(Enumerable.Range(0, 50), i => Assert.Equal(WriteOutcomeKind.Fenced, late.OutcomeOf(i).Kind));
        Assert.Equal(2, _store.Requests.Count(request => request.Kind == "batch"));
        Assert.Equal(50, _store.Requests.Count(request => request.Kind == "read"));
    }

    [Fact]
    public async Task Key_that_is_too_large_for_the_store_does_not_stop_the_others()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(3);
        var isFirst = true;
        _store.OnRequest = request =>
        {
            var trouble = isFirst ? new Trouble(HttpStatusCode.RequestEntityTooLarge, Operation: 1) : null;
            isFirst = false;
            return trouble;
        };
        var batch = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));

        await store.WriteAsync(batch);

        Assert.Equal(
            [WriteOutcomeKind.Committed, WriteOutcomeKind.Refused, WriteOutcomeKind.Committed],
            Enumerable.Range(0, 3).Select(i => batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Key_whose_condition_never_holds_is_busy_after_some_rounds()
    {
        await using var store = await OpenAsync();
        _store.OnRequest = request => request.Kind == "create" ? new Trouble(HttpStatusCode.Conflict) : null;

        var batch = Batch(store, [store.NewWrite("key", Stamp.Absent)]);

        await store.WriteAsync(batch);

        Assert.Equal(WriteOutcomeKind.Busy, batch.OutcomeOf(0).Kind);
        Assert.InRange(_store.Requests.Count, 2, 20);
    }

    [Fact]
    public async Task Key_whose_condition_never_holds_goes_alone_and_the_others_are_committed()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(10);
        var rounds = 0;
        _store.OnRequest = request => request.Kind == "create" || (request.Kind == "batch" && request.Operations == 10 && rounds++ < 9)
            ? new Trouble(HttpStatusCode.Conflict, Operation: request.Kind == "create" ? -1 : 3)
            : null;
        var batch = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));

        await store.WriteAsync(batch);

        for (var i = 0; i < 10; i++)
            Assert.Equal(i == 3 ? WriteOutcomeKind.Busy : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
        Assert.Equal(2, rounds);
    }

    [Fact]
    public async Task Refusal_that_names_no_operation_fails_its_key_alone()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(4);
        var alone = 0;
        _store.OnRequest = request => request.Kind == "batch" || (request.Kind == "create" && alone++ == 1) ? new Trouble(HttpStatusCode.BadRequest) : null;
        var batch = Batch(store, keys.Select(key => store.NewWrite(key, Stamp.Absent)));

        await store.WriteAsync(batch);

        Assert.Equal("batch:4 create create create create", Sent);
        Assert.Equal(1, Enumerable.Range(0, 4).Count(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Refused));
        Assert.Equal(3, Enumerable.Range(0, 4).Count(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed));
    }

    private static WriteBatch Batch(StoreClient store, IEnumerable<KeyWrite> writes, params PartWrite[] parts)
    {
        var batch = new WriteBatch();
        foreach (var write in writes)
            store.Add(batch, write, parts.Length > 0 ? parts : [Part("", "x")]);
        return batch;
    }

    private async Task<StoreClient> OpenAsync()
    {
        var store = await StoreClient.OpenAsync(StandInStorage.Connect(_store, _time));
        await store.Proxy.RestAsync();
        _store.Requests.Clear();
        return store;
    }
}
