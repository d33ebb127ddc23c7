using static Stout.Testing.StoreClient;

using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>A new key has the stamp Absent.</summary>
    [Fact]
    public async Task Key_that_never_was_written_is_absent()
    {
        await using var store = await OpenAsync();

        var read = await store.ReadAsync("key");

        Assert.Equal((ReadOutcomeKind.Read, false, Stamp.Absent), (read.Kind, read.Exists, read.Version));
    }

    /// <summary>If the stored stamp is already the write's next stamp, an earlier attempt was committed, and the repetition succeeds.</summary>
    [Fact]
    public async Task Write_that_is_repeated_is_committed_and_changes_nothing()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var write = store.NewWrite("key", stamp, KeyWriteKind.Replace);
        await store.WriteAsync(write, Part("b", "2"));

        var repeated = await store.WriteAsync(write, Part("b", "2"));

        Assert.Equal(WriteOutcomeKind.Committed, repeated.Kind);
        Assert.Equal("b=2", Show(await store.ReadAsync("key")));
    }

    /// <summary>A repeated deletion succeeds, since the stored stamp is already the deletion's next stamp.</summary>
    [Fact]
    public async Task Deletion_that_is_repeated_is_committed()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var write = store.NewWrite("key", stamp, KeyWriteKind.Delete);
        await store.WriteAsync(write);

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write)).Kind);
    }

    /// <summary>A write conflicts if the stored stamp is neither the expected stamp nor the write's next stamp.</summary>
    [Theory]
    [InlineData(KeyWriteKind.Merge)]
    [InlineData(KeyWriteKind.Replace)]
    [InlineData(KeyWriteKind.Delete)]
    public async Task Write_that_expects_another_stamp_conflicts_and_changes_nothing(KeyWriteKind kind)
    {
        await using var store = await OpenAsync();
        var old = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var stamp = await store.PutAsync("key", old, parts: [Part("a", "2")]);
        foreach (var expected in new[] { old, Stamp.Absent, store.NextStamp() })
        {
            var outcome = await store.WriteAsync(store.NewWrite("key", expected, kind));

            Assert.Equal(WriteOutcomeKind.Conflict, outcome.Kind);
        }

        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "a=2"), (read.Version, Show(read)));
    }

    /// <summary>An update of a key without a stored row must not insert a row.</summary>
    [Fact]
    public async Task Write_that_expects_a_key_which_is_absent_conflicts_and_makes_none()
    {
        await using var store = await OpenAsync();

        var outcome = await store.WriteAsync(store.NewWrite("key", store.NextStamp()));

        Assert.Equal(WriteOutcomeKind.Conflict, outcome.Kind);
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    /// <summary>If a later write was committed, a late repetition of an earlier write conflicts and changes nothing.</summary>
    [Fact]
    public async Task Late_repetition_of_an_overtaken_write_changes_nothing()
    {
        await using var store = await OpenAsync();
        var write = store.NewWrite("key", Stamp.Absent);
        await store.WriteAsync(write, Part("", "first"));
        await store.PutAsync("key", write.Next, parts: [Part("", "second")]);

        Assert.Equal(WriteOutcomeKind.Conflict, (await store.WriteAsync(write, Part("", "first"))).Kind);
        Assert.Equal("=second", Show(await store.ReadAsync("key")));
    }

    /// <summary>A batch that is sent again gets new outcomes, which replace those of the earlier attempt.</summary>
    [Fact]
    public async Task Batch_that_is_sent_again_is_answered_anew()
    {
        await using var store = await OpenAsync();
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("key", Stamp.Absent), Part("", "first"));
        await store.WriteAsync(batch);
        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(0).Kind);
        await store.PutAsync("key", batch[0].Next, parts: [Part("", "second")]);

        await store.WriteAsync(batch);

        Assert.Equal(WriteOutcomeKind.Conflict, batch.OutcomeOf(0).Kind);
    }

    /// <summary>Late, repeated and reordered requests are harmless.</summary>
    [Fact]
    public async Task Requests_that_come_twice_and_in_any_order_end_as_their_stamps_say()
    {
        int[][] orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        await using var store = await OpenAsync();
        foreach (var order in orders)
        {
            var key = string.Join(' ', order);
            var writes = new KeyWrite[3];
            for (var i = 0; i < 3; i++)
                writes[i] = store.NewWrite(key, i == 0 ? Stamp.Absent : writes[i - 1].Next);
            var done = -1;
            foreach (var i in order.Concat(order).Concat([0, 1, 2, 2]))
            {
                var outcome = await store.WriteAsync(writes[i], Part("", $"{i}"));

                var fits = i == done || i == done + 1;
                Assert.Equal(fits ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict, outcome.Kind);
                done = fits ? i : done;
            }

            Assert.Equal("=2", Show(await store.ReadAsync(key)));
        }
    }

    /// <summary>A token that came with a stamp, from a read or a write, is valid for the next write that expects this stamp.</summary>
    [Fact]
    public async Task Token_that_came_with_a_stamp_is_good_for_the_next_write_whether_written_or_read()
    {
        await using var writer = await OpenAsync();
        var stamp = await writer.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        stamp = await writer.PutAsync("key", stamp, parts: [Part("", "2")]);
        await writer.ReadAsync("key");
        stamp = await writer.PutAsync("key", stamp, parts: [Part("", "3")]);
        stamp = await writer.PutAsync("key", stamp, KeyWriteKind.Delete);
        await writer.ReadAsync("key");

        await writer.PutAsync("key", stamp, parts: [Part("", "4")]);

        Assert.Equal("=4", Show(await writer.ReadAsync("key")));
    }
}
