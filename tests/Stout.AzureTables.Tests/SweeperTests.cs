using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

public sealed class SweeperTests(Server server) : IDisposable
{
    private readonly TestTable _table = new(server.Account);

    private static PartWrite[] Many => [.. Enumerable.Range(0, KnownParts.MaxCount).Select(i => Part($"{i}", "x"))];

    public void Dispose() => _table.Dispose();

    [Fact]
    public async Task Rows_of_deleted_and_replaced_objects_go_and_those_of_living_ones_stay()
    {
        await using var store = await _table.OpenAsync();
        var many = Enumerable.Range(0, 98).Select(i => Part($"{i}", "x")).ToArray();
        var deleted = await store.PutAsync("deleted", Stamp.Absent, parts: many);
        deleted = await store.PutAsync("deleted", deleted, parts: [.. many.Select((_, i) => Part($"more {i}", "x"))]);
        var replaced = await store.PutAsync("replaced", Stamp.Absent, parts: many);
        await store.PutAsync("untouched", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("deleted", deleted, KeyWriteKind.Delete);
        await store.PutAsync("replaced", replaced, KeyWriteKind.Replace, parts: [Part("a", "new"), Part("b", "new")]);

        await SweepAsync();

        // The rows are the identity, three headers, the note of the deleted header, and three parts.
        Assert.Equal(8, _table.Rows().Count);
        Assert.Equal("a=new b=new", Show(await store.ReadAsync("replaced")));
        Assert.Equal("a=1", Show(await store.ReadAsync("untouched")));
        Assert.Equal("(none)", Show(await store.ReadAsync("deleted")));
    }

    [Fact]
    public async Task Large_objects_that_are_replaced_again_and_again_leave_rows_of_a_bounded_number_of_generations()
    {
        await using var store = await _table.OpenAsync();
        var parts = Enumerable.Range(0, 60).Select(i => Part($"{i}", "x")).ToArray();
        var stamp = Stamp.Absent;
        var most = 0;
        for (var round = 0; round < 150; round++)
        {
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: parts);
            if (round % 10 == 9)
                most = Math.Max(most, _table.Rows().Count);
        }

        // At 64 dead generations a write waits for a sweep. Generations that were written while a sweep was under way are left in addition.
        Assert.InRange(most, parts.Length, 85 * parts.Length);
    }

    [Fact]
    public async Task Deleted_header_goes_when_its_time_is_over_and_not_before()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var deleted = await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        await SweepAsync();
        _table.Time.Advance(_table.Options.Sweeping.Retention - TimeSpan.FromSeconds(1));
        await SweepAsync();
        Assert.Equal(deleted, (await store.ReadAsync("key")).Version);
        _table.Time.Advance(TimeSpan.FromSeconds(2));
        await SweepAsync();

        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
        Assert.Single(_table.Rows());
    }

    [Fact]
    public async Task Claim_of_a_deleted_key_keeps_its_header_for_its_full_time_again()
    {
        await using var store = await _table.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, KeyWriteKind.Delete);
        _table.Time.Advance(TimeSpan.FromHours(20));
        await store.ClaimAsync("key");
        _table.Time.Advance(TimeSpan.FromHours(20));

        await SweepAsync();

        Assert.Equal(1, (await store.ReadHeaderAsync("key")).Owner.Epoch);
        _table.Time.Advance(TimeSpan.FromHours(20));
        await SweepAsync();
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Fact]
    public async Task Key_that_came_back_is_not_swept()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1"), Part("a", "1")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        stamp = await store.PutAsync("key", stamp, parts: [Part("a", "2")]);
        _table.Time.Advance(TimeSpan.FromDays(3));

        await SweepAsync();

        Assert.Equal((stamp, "a=2"), ((await store.ReadAsync("key")).Version, Show(await store.ReadAsync("key"))));
        Assert.Equal(3, _table.Rows().Count);
    }

    [Fact]
    public async Task Sweepers_of_several_clients_do_not_disturb_one_another()
    {
        await using var store = await _table.OpenAsync();
        foreach (var key in Enumerable.Range(0, 20).Select(i => $"key {i}"))
        {
            var stamp = await store.PutAsync(key, Stamp.Absent, parts: [Part("a", "1"), Part("b", "1")]);
            await store.PutAsync(key, stamp, KeyWriteKind.Delete);
        }

        _table.Time.Advance(TimeSpan.FromDays(3));
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => SweepAsync()));
        await SweepAsync();

        Assert.Single(_table.Rows());
    }

    [Fact]
    public async Task Rows_of_replaced_and_deleted_objects_go_in_the_transactions_that_replace_and_delete_them()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1"), .. Many]);
        for (var round = 0; round < 3; round++)
        {
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("", "1"), Part("a", "1"), Part("b", "2")]);
            stamp = await store.PutAsync("key", stamp, parts: [Part("c", "3"), NoPart("b")]);

            // The identity, the header, and two parts.
            Assert.Equal(4, _table.Rows().Count);
        }

        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        // The identity, the deleted header, and the note by which the sweeper will remove that header.
        Assert.Equal(3, _table.Rows().Count);
    }

    [Fact]
    public async Task Rows_of_an_object_that_was_read_go_in_the_transaction_that_replaces_it()
    {
        await using var first = await _table.OpenAsync();
        var stamp = await first.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
        await using var store = await _table.OpenAsync();
        await store.ReadAsync("key");

        await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "3")]);

        Assert.Equal(3, _table.Rows().Count);
    }

    [Fact]
    public async Task Damaged_notes_and_headers_do_not_stop_the_sweeping_of_other_keys()
    {
        await using var store = await _table.OpenAsync();
        string[] keys = ["a", "b", "c", "d"];
        foreach (var key in keys)
        {
            var stamp = await store.PutAsync(key, Stamp.Absent, parts: [.. Many, Part("more", "x")]);
            await store.PutAsync(key, stamp, KeyWriteKind.Replace, parts: [Part("x", "1")]);
        }

        var note = _table.Rows().First(row => row.RowKey.StartsWith(Rows.RowKeys.Garbage, StringComparison.Ordinal));
        var damaged = note.GetString("Key");
        await _table.Other.UpsertEntityAsync(new Azure.Data.Tables.TableEntity("0000", note.RowKey) { ["Stamp"] = "nonsense" }, cancellationToken: TestContext.Current.CancellationToken);
        var other = keys.First(key => key != damaged);
        await _table.Other.UpsertEntityAsync(new Azure.Data.Tables.TableEntity("0000", other + "!") { ["DeletedAt"] = "nonsense" }, cancellationToken: TestContext.Current.CancellationToken);

        await SweepAsync();

        var notes = _table.Rows().Where(row => row.RowKey.StartsWith(Rows.RowKeys.Garbage, StringComparison.Ordinal));
        Assert.Equal(new[] { damaged, other }.Order(), notes.Select(row => row.GetString("Key")).Order());
    }

    [Fact]
    public async Task Second_disposal_ends_with_the_first_when_the_sweep_that_is_under_way_has_ended()
    {
        using var wire = new Wire();
        _table.Options.Transport = wire.Transport;
        var storage = _table.NewStorage();
        await storage.OpenAsync(TestContext.Current.CancellationToken);
        var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        wire.After = _ =>
        {
            asked.TrySetResult();
            return answered.Task;
        };
        _table.Time.Advance(_table.Options.Sweeping.Interval);
        await asked.Task;

        var first = storage.DisposeAsync().AsTask();
        var second = storage.DisposeAsync().AsTask();

        Assert.Equal((false, false), (first.IsCompleted, second.IsCompleted));
        answered.SetResult();
        await second;
        await first;
    }

    [Fact]
    public async Task Note_stays_while_rows_are_left_that_could_not_be_removed()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. Many, Part("more", "x")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "2")]);
        using var wire = new Wire();
        _table.Options.Transport = wire.Transport;
        wire.Instead = request => Wire.IsTransaction(request) && wire.Transactions == 1
            ? Wire.Answer(202, ServiceAnswers.ChangeSetError("404 Not Found", ServiceAnswers.Error("ResourceNotFound", "0:The specified resource does not exist.")), ServiceAnswers.MultipartType)
            : null;

        await SweepAsync();
        Assert.Equal(4 + Many.Length + 1, _table.Rows().Count);
        wire.Instead = null;
        await SweepAsync();

        Assert.Equal(3, _table.Rows().Count);
    }

    private Task SweepAsync() => _table.SweepAsync();
}
