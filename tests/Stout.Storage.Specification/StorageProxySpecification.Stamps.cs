using static Stout.Storage.Specification.StoreClient;

namespace Stout.Storage.Specification;

public abstract partial class StorageProxySpecification
{
    [Fact]
    public async Task Key_that_never_was_written_is_absent()
    {
        await using var store = await OpenAsync();

        var read = await store.ReadAsync("key");

        Assert.Equal((ReadOutcomeKind.Read, false, Stamp.Absent), (read.Kind, read.Exists, read.Stamp));
    }

    [Fact]
    public async Task Write_that_is_repeated_is_committed_and_changes_nothing()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var write = new KeyWrite(new PartitionKey("key"), KeyWriteKind.Replace, stamp, null, store.NextStamp());
        await store.WriteAsync(write, Part("b", "2"));

        var repeated = await store.WriteAsync(write, Part("b", "2"));

        Assert.Equal(WriteOutcomeKind.Committed, repeated.Kind);
        Assert.Equal("b=2", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Deletion_that_is_repeated_is_committed()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        var write = new KeyWrite(new PartitionKey("key"), KeyWriteKind.Delete, stamp, null, store.NextStamp());
        await store.WriteAsync(write);

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write)).Kind);
    }

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
            var outcome = await store.WriteAsync(new KeyWrite(new PartitionKey("key"), kind, expected, null, store.NextStamp()));

            Assert.Equal(WriteOutcomeKind.Conflict, outcome.Kind);
        }

        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "a=2"), (read.Stamp, Show(read)));
    }

    [Fact]
    public async Task Write_that_expects_a_key_which_is_absent_conflicts_and_makes_none()
    {
        await using var store = await OpenAsync();

        var outcome = await store.WriteAsync(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, store.NextStamp(), null, store.NextStamp()));

        Assert.Equal(WriteOutcomeKind.Conflict, outcome.Kind);
        Assert.True((await store.ReadAsync("key")).Stamp.IsAbsent);
    }

    [Fact]
    public async Task Late_repetition_of_an_overtaken_write_changes_nothing()
    {
        await using var store = await OpenAsync();
        var write = new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp());
        await store.WriteAsync(write, Part("", "first"));
        await store.PutAsync("key", write.Next, parts: [Part("", "second")]);

        Assert.Equal(WriteOutcomeKind.Conflict, (await store.WriteAsync(write, Part("", "first"))).Kind);
        Assert.Equal("=second", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Batch_that_is_sent_again_is_answered_anew()
    {
        await using var store = await OpenAsync();
        var key = new PartitionKey("key");
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(key, KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()), [Part("", "first")]);
        await store.WriteAsync(store.PartitionOf(key), batch, TestContext.Current.CancellationToken);
        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(0).Kind);
        await store.PutAsync("key", batch[0].Next, parts: [Part("", "second")]);

        await store.WriteAsync(store.PartitionOf(key), batch, TestContext.Current.CancellationToken);

        Assert.Equal(WriteOutcomeKind.Conflict, batch.OutcomeOf(0).Kind);
    }

    [Fact]
    public async Task Writer_of_an_older_epoch_is_fenced_even_if_it_expects_the_stored_stamp()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var stamp = await store.PutAsync("key", Stamp.Absent, epoch: 5, parts: [Part("", "new owner")]);

        var outcome = await store.WriteAsync(
            new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, stamp, null, store.NextStamp(4)), Part("", "old"));

        Assert.Equal(WriteOutcomeKind.Fenced, outcome.Kind);
        Assert.Equal("=new owner", Show(await store.ReadAsync("key", epoch: 5)));
    }

    [Fact]
    public async Task Keys_that_fail_do_not_stop_the_others_of_their_batch()
    {
        await using var store = await OpenAsync();
        var keys = Enumerable.Range(0, 200).Select(i => new PartitionKey($"key {i}")).Where(key => store.PartitionOf(key) == 0).Take(20).ToList();
        var batch = new WriteBatch();
        for (var i = 0; i < keys.Count; i++)
        {
            var expected = i % 2 == 0 ? Stamp.Absent : store.NextStamp();
            batch.Add(new KeyWrite(keys[i], KeyWriteKind.Merge, expected, null, store.NextStamp()), [Part("", "x")]);
        }

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        for (var i = 0; i < keys.Count; i++)
        {
            Assert.Equal(i % 2 == 0 ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict, batch.OutcomeOf(i).Kind);
            Assert.Equal(i % 2 == 0, (await store.ReadAsync(keys[i].Text)).Exists);
        }
    }
}
