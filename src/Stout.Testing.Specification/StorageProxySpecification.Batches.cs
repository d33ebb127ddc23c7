using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>Every key has its own outcome.</summary>
    [Fact]
    public async Task Keys_that_fail_do_not_stop_the_others_of_their_batch()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(20);
        var batch = new WriteBatch();
        for (var i = 0; i < keys.Count; i++)
        {
            var expected = i % 2 == 0 ? Stamp.Absent : store.NextStamp();
            store.Add(batch, store.NewWrite(keys[i], expected), Part("", "x"));
        }

        await store.WriteAsync(batch);

        for (var i = 0; i < keys.Count; i++)
        {
            Assert.Equal(i % 2 == 0 ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict, batch.OutcomeOf(i).Kind);
            Assert.Equal(i % 2 == 0, (await store.ReadAsync(keys[i])).Exists);
        }
    }

    /// <summary>Found, absent and deleted keys of one request are told apart.</summary>
    [Fact]
    public async Task Batch_of_reads_answers_each_key_by_itself()
    {
        await using var store = await OpenAsync();
        var keys = store.KeysTogether(4);
        var first = await store.PutAsync(keys[0], Stamp.Absent, parts: [Part("", "first")]);
        var deleted = await store.PutAsync(keys[2], Stamp.Absent, KeyWriteKind.Delete);
        var last = await store.PutAsync(keys[3], Stamp.Absent, parts: [Part("a", "last")]);

        var reads = await store.ReadAsync(keys);

        Assert.Equal([(first, "=first"), (Stamp.Absent, "(none)"), (deleted, "(none)"), (last, "a=last")], reads.Select(read => (read.Version, Show(read))));
    }

    /// <summary><see cref="StorageCapabilities.AtomicBatches"/> means that readers see all of a batch or nothing.</summary>
    [Fact]
    public async Task Batch_of_an_atomic_store_is_seen_as_a_whole()
    {
        const int Batches = 200;
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.AtomicBatches, nameof(StorageCapabilities.AtomicBatches));
        // More keys between the two observed ones make it more likely to see half of a batch that is not atomic.
        var keys = store.KeysTogether((int)Math.Min(Math.Min(store.Proxy.Limits.MaxBatchKeys, store.Proxy.Limits.MaxBatchParts), 50));
        var (first, last) = (keys[0], keys[^1]);
        var writing = Task.Run(WriteAllAsync, TestContext.Current.CancellationToken);
        do
        {
            await SeeInTurnAsync(last, first);
            await SeeInTurnAsync(first, last);
        }
        while (!writing.IsCompleted);
        await writing;

        async Task SeeInTurnAsync(string key, string other)
        {
            var (before, after) = (await NumberOf(key), await NumberOf(other));
            Assert.True(after >= before, $"Batch {before} is seen in one key, and then batch {after} in another.");
        }

        async Task<int> NumberOf(string key) => await store.ReadAsync(key) is { Exists: true } read ? BitConverter.ToInt32(read.Parts[0].Value.Span) : 0;

        async Task WriteAllAsync()
        {
            var stamps = new Stamp[keys.Count];
            Array.Fill(stamps, Stamp.Absent);
            for (var number = 1; number <= Batches; number++)
            {
                var batch = new WriteBatch();
                for (var i = 0; i < keys.Count; i++)
                    store.Add(batch, store.NewWrite(keys[i], stamps[i]), Part("", BitConverter.GetBytes(number)));
                await store.WriteAsync(batch);
                for (var i = 0; i < keys.Count; i++)
                {
                    Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
                    stamps[i] = batch[i].Next;
                }
            }
        }
    }

    /// <summary><see cref="StorageLimits.MaxBatchKeys"/> can be used in full.</summary>
    [Fact]
    public async Task Batch_of_the_most_keys_is_answered_whole()
    {
        await using var store = await OpenAsync();
        var limits = store.Proxy.Limits;
        var keys = store.KeysTogether((int)Math.Min(Math.Min(limits.MaxBatchKeys, limits.MaxBatchParts), Math.Min(limits.MaxBatchBytes, 20_000)));
        var batch = new WriteBatch();
        for (var i = 0; i < keys.Count; i++)
            store.Add(batch, store.NewWrite(keys[i], Stamp.Absent), Part("", [(byte)i]));

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, keys.Count), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        var reads = await store.ReadAsync(keys);
        Assert.All(Enumerable.Range(0, keys.Count), i => Assert.Equal((batch[i].Next, (byte)i), (reads[i].Version, reads[i].Parts.Single().Value.Span[0])));
    }

    /// <summary>The lane reuses the memory of a batch, so a store that kept a reference to it would change acknowledged values.</summary>
    [Fact]
    public async Task Memory_of_a_batch_is_the_callers_again_when_the_call_ends()
    {
        await using var store = await OpenAsync();
        byte[] self = [1], part = [2];
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("key", Stamp.Absent), Part("", self), Part("a", part));
        await store.WriteAsync(batch);

        (self[0], part[0]) = (9, 9);
        batch.Clear();

        var read = await store.ReadAsync("key");
        Assert.Equal([(byte)1, (byte)2], read.Parts.OrderBy(p => p.SubKey).Select(p => p.Value.Span[0]));
    }

    /// <summary>The reader owns the bytes of <see cref="ReadOutcome.Parts"/>.</summary>
    [Fact]
    public async Task Bytes_that_were_read_stay_as_they_were_read()
    {
        await using var store = await OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one"), Part("a", "one")]);
        var read = await store.ReadAsync("key");

        await store.PutAsync("key", stamp, parts: [Part("", "two"), Part("a", "two")]);
        await store.ReadAsync("key");

        Assert.Equal("=one a=one", Show(read));
    }
}
