using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>A key that another session has locked is busy, and the other keys of its batch are written.</summary>
public sealed class LockedKeyTests : IAsyncDisposable
{
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Fact]
    public async Task Write_of_a_locked_key_is_busy_and_its_neighbors_are_written()
    {
        await using var store = await _schema.OpenAsync();
        var stamps = new Dictionary<string, Stamp>();
        foreach (var key in store.KeysTogether(100))
            stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: [Part("", "old")]);
        var batch = BatchOf(store, stamps);
        await using (await LockAsync("key 42"))
        {
            await store.WriteAsync(batch);

            Assert.Equal(["key 42"], KeysWith(batch, WriteOutcomeKind.Busy));
            Assert.Equal(99, KeysWith(batch, WriteOutcomeKind.Committed).Count);

            // The batch is sent again, as a lane sends a busy key again, together with other keys.
            await store.WriteAsync(batch);
            Assert.Equal(["key 42"], KeysWith(batch, WriteOutcomeKind.Busy));
        }

        // The other keys were committed, and repeating their writes with the same stamps returns the same outcome.
        await store.WriteAsync(batch);
        Assert.Equal(100, KeysWith(batch, WriteOutcomeKind.Committed).Count);
    }

    [Fact]
    public async Task Write_of_a_key_that_another_session_is_making_is_busy()
    {
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("neighbor", Stamp.Absent, parts: [Part("", "old")]);
        await using var session = await OtherSession.ChangeAsync(
            _schema,
            "INSERT INTO [stout].[header] ([key], epoch, stamp, request, generation, root, has_rows) "
            + $"VALUES (0x{OtherSession.Hex("new")}, 0, CAST(0x01 AS varbinary(32)), 0x00, 0x01, 0, 0)");
        var batch = BatchOf(store, new() { ["also new"] = Stamp.Absent, ["new"] = Stamp.Absent });

        await store.WriteAsync(batch);

        Assert.Equal(["new"], KeysWith(batch, WriteOutcomeKind.Busy));
        Assert.Equal(["also new"], KeysWith(batch, WriteOutcomeKind.Committed));
    }

    [Fact]
    public async Task Dead_rows_of_a_locked_key_stay_and_those_of_others_go()
    {
        await using var store = await _schema.OpenAsync();
        foreach (var key in (string[])["a", "b", "c"])
        {
            var stamp = await store.PutAsync(key, Stamp.Absent, parts: [Part("x", "1"), Part("y", "1")]);
            await store.PutAsync(key, stamp, KeyWriteKind.Delete);
        }

        await using (await LockAsync("a"))
        {
            await SweepAsync();
            Assert.Equal(2, await _schema.AskAsync<int>("SELECT COUNT(*) FROM [stout].[part]"));
        }

        await SweepAsync();
        Assert.Equal(0, await _schema.AskAsync<int>("SELECT COUNT(*) FROM [stout].[part]"));
    }

    private static WriteBatch BatchOf(StoreClient store, Dictionary<string, Stamp> stamps)
    {
        var batch = new WriteBatch();
        foreach (var (key, stamp) in stamps)
            store.Add(batch, store.NewWrite(key, stamp), Part("", "new"));
        return batch;
    }

    private static List<string> KeysWith(WriteBatch batch, WriteOutcomeKind kind) =>
        [.. Enumerable.Range(0, batch.Count).Where(i => batch.OutcomeOf(i).Kind == kind).Select(i => batch[i].Key.Text)];

    private Task<OtherSession> LockAsync(string key) => OtherSession.LockAsync(_schema, key);

    private async Task SweepAsync()
    {
        await using var sweeper = _schema.NewSweeper();
        while (await sweeper.StepAsync(TestContext.Current.CancellationToken))
        {
        }
    }
}
