using System.Collections.Concurrent;
using Stout.Documents;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>Lists objects with and without a value of their own, keys that are prefixes of others, and keys with characters that stores encode.</summary>
    [Fact]
    public async Task Listing_has_each_object_that_exists_once_by_any_prefix()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        string[] keys = ["a", "a/", "a/1", "a/10", "a/2", "a\0", "b!c", "b%", "b", "日本", "日", "\U0001F600", new string('x', PartitionKey.MaxBytes)];
        var stamps = new Dictionary<string, Stamp>();
        foreach (var key in keys)
            stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: [Part("", key), Part("part", "p"), Part("part2", "p")]);
        await store.PutAsync("without bytes", Stamp.Absent, parts: Part("part", "p"));
        await store.PutAsync("a/1", stamps["a/1"], KeyWriteKind.Delete);
        await store.PutAsync("b", stamps["b"], KeyWriteKind.Delete);
        var live = keys.Except(["a/1", "b"]).Append("without bytes").ToList();

        foreach (var most in (int[])[1, 3, 1_000])
        {
            foreach (var prefix in (string[])["", "a", "a/", "a/1", "b", "日", "日本", "none", "xxx", "\U0001F600"])
            {
                Assert.Equal(
                    live.Where(key => key.StartsWith(prefix, StringComparison.Ordinal)).Order(StringComparer.Ordinal),
                    (await store.ListAsync(prefix, most)).Order(StringComparer.Ordinal));
            }
        }
    }

    /// <summary>Objects that are created and deleted during a listing do not displace other objects from its pages.</summary>
    [Fact]
    public async Task Listing_beside_writes_has_what_was_there_all_the_time()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        var stays = Enumerable.Range(0, 20).Select(i => $"key {2 * i:00}").ToList();
        var goes = new Queue<(string Key, Stamp Stamp)>();
        foreach (var key in stays)
            await store.PutAsync(key, Stamp.Absent, parts: Part("", "stays"));
        for (var i = 0; i < 20; i++)
        {
            var key = $"key {(2 * i) + 1:00}";
            goes.Enqueue((key, await store.PutAsync(key, Stamp.Absent, parts: Part("", "goes"))));
        }

        var made = 0;
        var listed = await store.ListAsync("key", 3, async () =>
        {
            // More objects are deleted than created, before the listing's position: a page counted from the first key would start too late.
            if (made % 3 == 0)
                await store.PutAsync($"key 00 {made:00}", Stamp.Absent, parts: Part("", "comes"));
            made++;
            if (goes.TryDequeue(out var gone))
                await store.PutAsync(gone.Key, gone.Stamp, KeyWriteKind.Delete);
        });
        Assert.Equal(stays, listed.Intersect(stays).Order(StringComparer.Ordinal));
        Assert.Equal(listed.Count, listed.Distinct().Count());
    }

    /// <summary>
    /// Writers create and delete keys while pages are read. Keys that exist all the time are listed once; keys deleted before the listing began are not
    /// listed.
    /// </summary>
    [Fact]
    public async Task Listing_while_others_write_has_each_lasting_key_once_and_no_key_deleted_before_it_began()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        var stays = Enumerable.Range(0, 30).Select(i => $"key {i:00}").ToList();
        foreach (var key in stays)
            await store.PutAsync(key, Stamp.Absent, parts: Part("", "stays"));
        var stamps = new ConcurrentDictionary<string, Stamp>();
        var writers = Enumerable.Range(0, 3).Select(number => new ComingAndGoing(
            number,
            async key => stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: Part("", "goes")),
            async key => await store.PutAsync(key, stamps[key], KeyWriteKind.Delete))).ToList();

        // Each writer makes only one step for each page, so that a listing ends even if it shows the keys that were just made.
        var steps = Task.CompletedTask;
        for (var round = 0; round < 6; round++)
        {
            await ComingAndGoing.CheckAsync(writers, stays, () => store.ListAsync("key", 8, async () =>
            {
                await steps;
                steps = Task.WhenAll(writers.Select(writer => Task.Run(writer.StepAsync)));
            }));
        }

        await steps;
        Assert.All(writers, writer => Assert.NotEmpty(writer.Deleted));
    }

    /// <summary>A listing of a collection has each lasting id once, too. Changes leave in batches, so an id exists from its acknowledgement on.</summary>
    [Fact]
    public async Task Listing_of_a_collection_while_others_write_has_each_lasting_id_once_and_no_id_deleted_before_it_began()
    {
        var proxy = Connect(Time);
        await using var documents = await DocumentStore.OpenAsync(proxy, cancellationToken: TestContext.Current.CancellationToken);
        SkipUnless(proxy.Capabilities.Lists, nameof(StorageCapabilities.Lists));
        var notes = documents.GetCollection("notes", new StringPartSerializer());
        var stays = Enumerable.Range(0, 30).Select(i => $"key {i:00}").ToList();
        await Task.WhenAll(stays.Select(key => notes.SetAsync(key, "stays").AsTask()));
        var writers = Enumerable.Range(0, 3).Select(number => new ComingAndGoing(
            number, async key => await notes.SetAsync(key, "goes"), async key => await notes.DeleteAsync(key))).ToList();

        var writing = Task.WhenAll(writers.Select(writer => Task.Run(async () =>
        {
            for (var step = 0; step < 40; step++)
                await writer.StepAsync();
        })));
        do
            await ComingAndGoing.CheckAsync(writers, stays, async () => await notes.ListAsync("key").ToListAsync());
        while (!writing.IsCompleted);
        await writing;
    }
}
