using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

public sealed class SweeperTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Fact]
    public async Task Rows_of_a_deleted_or_replaced_object_go_and_those_that_live_stay()
    {
        await using var store = await _schema.OpenAsync();
        PartWrite[] parts = [.. Enumerable.Range(0, 1_000).Select(i => Part($"{i}", "x"))];
        var deleted = await store.PutAsync("deleted", Stamp.Absent, parts: parts);
        var replaced = await store.PutAsync("replaced", Stamp.Absent, parts: parts);
        await store.PutAsync("deleted", deleted, KeyWriteKind.Delete);
        await store.PutAsync("replaced", replaced, KeyWriteKind.Replace, parts: [Part("a", "new"), Part("b", "new")]);
        Assert.Equal((2_002, 2), (await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));

        await SweepAsync();

        Assert.Equal((2, 0, 2), (await _schema.CountAsync("part"), await _schema.CountAsync("garbage"), await _schema.CountAsync("header")));
        Assert.Equal("a=new b=new", Show(await store.ReadAsync("replaced")));
    }

    [Fact]
    public async Task Deleted_header_goes_when_its_time_is_over_and_not_before()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        await AgeAsync("23:59:00");
        await SweepAsync();
        Assert.Equal(stamp, (await store.ReadAsync("key")).Version);

        await AgeAsync("24:00:00");
        await SweepAsync();
        Assert.Equal(0, await _schema.CountAsync("header"));
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Fact]
    public async Task Claim_of_a_deleted_key_keeps_its_header_for_the_full_time_again()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        await AgeAsync("24:00:00");

        await store.ClaimAsync("key");
        await SweepAsync();

        Assert.Equal(1, await _schema.CountAsync("header"));
    }

    [Fact]
    public async Task Sweeper_waits_for_no_other_that_raises_the_epoch_floor_and_leaves_the_headers_to_it()
    {
        await using var store = await _schema.OpenAsync();
        await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid(), 7));
        await AgeAsync("24:00:00");
        await using (await _schema.HoldAsync("UPDATE @.epoch_floor SET epoch = 3"))
        {
            await SweepAsync();
            Assert.Equal(1, await _schema.CountAsync("header"));
        }

        await SweepAsync();

        Assert.Equal((0, 7), (await _schema.CountAsync("header"), (long)(await _schema.ExecuteAsync("SELECT epoch FROM @.epoch_floor"))!));
    }

    [Fact]
    public async Task Key_that_came_back_keeps_its_header_and_its_rows()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        await AgeAsync("48:00:00");
        stamp = await store.PutAsync("key", stamp, parts: [Part("b", "new")]);

        await SweepAsync();

        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "b=new", 1), (read.Version, Show(read), await _schema.CountAsync("part")));
    }

    [Fact]
    public async Task Time_alone_wakes_the_sweeper()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        _schema.Time.Advance(TimeSpan.FromMinutes(1));

        await _schema.UntilAsync("(SELECT count(*) = 0 FROM @.part)");
    }

    [Fact]
    public async Task Sweepers_of_several_clients_do_not_get_in_each_others_way()
    {
        await using var store = await _schema.OpenAsync();
        for (var i = 0; i < 50; i++)
        {
            var stamp = await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
            await store.PutAsync($"key {i}", stamp, KeyWriteKind.Delete);
        }

        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => SweepAsync()));
        await SweepAsync();

        Assert.Equal((0, 0), (await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
    }

    [Fact]
    public async Task Header_stays_while_another_sweeper_holds_its_garbage()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        await AgeAsync("48:00:00");
        await using (await _schema.HoldAsync("SELECT FROM @.garbage FOR UPDATE"))
        {
            await SweepAsync();
            Assert.Equal((1, 1, 1), (await _schema.CountAsync("header"), await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
        }

        await SweepAsync();
        Assert.Equal((0, 0, 0), (await _schema.CountAsync("header"), await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
    }

    [Fact]
    public async Task Locked_row_of_an_ended_generation_stops_no_other_garbage()
    {
        await using var store = await _schema.OpenAsync();
        foreach (var key in (string[])["a", "b", "c"])
        {
            var stamp = await store.PutAsync(key, Stamp.Absent, parts: [Part("x", "1"), Part("y", "1")]);
            await store.PutAsync(key, stamp, KeyWriteKind.Delete);
        }

        await using (await _schema.HoldAsync("SELECT FROM @.part WHERE key = 'b' AND subkey = 'x' FOR UPDATE"))
        {
            await SweepAsync();
            Assert.Equal((1, 1), (await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
        }

        await SweepAsync();
        Assert.Equal((0, 0), (await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
    }

    [Fact]
    public async Task Garbage_stays_bounded_while_objects_are_replaced_in_a_closed_loop()
    {
        await using var store = await _schema.OpenAsync();
        PartWrite[] parts = [.. Enumerable.Range(0, 20).Select(i => Part($"{i}", "x"))];
        var stamps = new Stamp[16];
        for (var round = 0; round < 100; round++)
        {
            var batch = new WriteBatch();
            for (var i = 0; i < stamps.Length; i++)
                store.Add(batch, store.NewWrite($"key {i}", stamps[i], KeyWriteKind.Replace), parts);
            await store.WriteAsync(batch);
            for (var i = 0; i < stamps.Length; i++)
            {
                Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
                stamps[i] = batch[i].Next;
            }
        }

        Assert.InRange(await _schema.CountAsync("garbage"), 0, Sweeping.Sweeper.MostGenerations);
        Assert.InRange(await _schema.CountAsync("part"), 320, 320 + (20 * Sweeping.Sweeper.MostGenerations));
    }

    private async Task SweepAsync()
    {
        await using var storage = new PostgreSqlStorage(_schema.Options, _schema.Time);
        var partition = (PostgreSqlPartition)(await storage.OpenAsync(TestContext.Current.CancellationToken))[0];
        await partition.Sweeper.SweepAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>Sets the deletion times of the deleted headers back, since the store takes their age from the server's clock.</summary>
    private Task<object?> AgeAsync(string interval) =>
        _schema.ExecuteAsync($"UPDATE @.header SET deleted_at = now() - interval '{interval}' WHERE deleted_at IS NOT NULL");
}
