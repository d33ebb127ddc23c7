namespace Stout.Documents.Tests;

/// <summary>Only clean, idle objects are evicted to make room for others.</summary>
public sealed class CacheTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Concurrent_first_accesses_share_one_read()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldReads();
        var calls = Enumerable.Range(0, 20).Select(_ => notes.GetAsync("a", Token).AsTask()).ToList();
        var change = notes.PutAsync("a", "1");
        await hold.Arrived;
        hold.Release();
        await Task.WhenAll([.. calls, change]);
        Assert.Equal(1, store.KeysRead);
    }

    [Fact]
    public async Task Objects_beyond_the_bound_are_evicted_and_come_back_as_they_were()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { MaxCachedObjects = 10 });
        var notes = documents.GetCollection<byte[]>("notes");
        var random = new Random(3);
        var expected = new Dictionary<string, byte[]>();
        for (var i = 0; i < 200; i++)
        {
            var bytes = new byte[random.Next(50)];
            random.NextBytes(bytes);
            expected["id" + i] = bytes;
            await notes.UpdateAsync("id" + i, _ => bytes, Token);
        }

        Assert.InRange(documents.Cache.Count, 1, 10);
        Assert.InRange(documents.GetStatistics().OpenKeys, 1, 20);
        foreach (var (id, bytes) in expected)
            Assert.Equal(bytes, await notes.GetAsync(id, Token));
        Assert.InRange(store.KeysRead, 200 + 180, int.MaxValue);
        Assert.InRange(documents.Cache.Count, 1, 10);
    }

    [Fact]
    public async Task Bound_on_bytes_counts_what_objects_hold_now()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedBytes = 500_000 });
        var notes = documents.GetCollection<byte[]>("notes");
        for (var i = 10; i < 60; i++)
        {
            await notes.UpdateAsync("id" + i, _ => new byte[10], Token);
            await notes.UpdateAsync("id" + i, _ => new byte[30_000], Token);
        }

        Assert.InRange(documents.Cache.Bytes, 300_000, 500_000);
        Assert.Equal(documents.Cache.Count * (MemoryCost.OfDocument("id10") + MemoryCost.OfPart("", null, 30_000)), documents.Cache.Bytes);
        for (var i = 10; i < 60; i++)
            await notes.DeleteAsync("id" + i, Token);
        Assert.Equal(documents.Cache.Count * MemoryCost.OfDocument("id10"), documents.Cache.Bytes);
    }

    [Fact]
    public async Task Bound_on_bytes_counts_the_texts_that_are_made_of_stored_bytes()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("a", new string('x', 1000));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        Assert.Equal(1000, await notes.ReadAsync("a", view => view.SizeOf(""), Token));
        var unread = documents.Cache.Bytes;
        await notes.GetAsync("a", Token);
        Assert.Equal(1000, documents.Cache.Bytes - unread);
        await notes.GetAsync("a", Token);
        await notes.PutAsync("a", "short");
        Assert.Equal(MemoryCost.OfDocument("a") + MemoryCost.OfPart("", "short", 5), documents.Cache.Bytes);
    }

    [Fact]
    public async Task Objects_that_do_not_exist_are_evicted_too()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedObjects = 5 });
        var notes = documents.GetCollection<string>("notes");
        for (var i = 0; i < 100; i++)
            Assert.Null(await notes.GetAsync("id" + i, Token));
        Assert.InRange(documents.Cache.Count, 1, 5);
    }

    [Fact]
    public async Task Undurable_objects_are_never_evicted()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { MaxCachedObjects = 1 });
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var changes = Enumerable.Range(0, 20).Select(i => notes.PutAsync("id" + i, "value" + i)).ToList();
        await hold.Arrived;
        for (var i = 0; i < 40; i++)
            Assert.Null(await notes.GetAsync("absent" + i, Token));
        hold.Release();
        await Task.WhenAll(changes);
        for (var i = 0; i < 20; i++)
            Assert.Equal("value" + i, await notes.GetAsync("id" + i, Token));
        Assert.InRange(documents.Cache.Count, 0, 1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Object_that_was_used_since_the_hand_came_by_gets_a_second_chance(bool byFunction)
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { MaxCachedObjects = 50 });
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("hot", "1");
        var reads = 0;
        for (var i = 0; i < 1000; i++)
        {
            await notes.GetAsync("cold" + i, Token);
            var before = store.KeysRead;
            _ = byFunction ? await notes.ReadAsync("hot", view => view[""], Token) : await notes.GetAsync("hot", Token);
            reads += store.KeysRead - before;
        }

        Assert.Equal(0, reads);
    }

    [Fact]
    public async Task Functions_of_an_object_that_can_not_be_evicted_still_run_one_at_a_time()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { MaxCachedObjects = 1 });
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var change = notes.PutAsync("a", "1");
        await hold.Arrived;
        for (var i = 0; i < 10; i++)
            await notes.GetAsync($"other {i}", Token);

        using var running = new Barrier();
        var first = Task.Run(() => notes.ReadAsync("a", _ => { running.Pass(); return 0; }, Token).AsTask(), Token);
        await running.Reached;
        var hasRun = false;
        var second = notes.ReadAsync("a", _ => hasRun = true, Token).AsTask();
        Assert.False(hasRun);
        running.Open();
        hold.Release();
        await Task.WhenAll(change, first, second);
        Assert.True(hasRun);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 3)]
    [InlineData(3, 8)]
    public async Task Any_mix_of_calls_under_eviction_gives_what_a_dictionary_would(int seed, int maxCachedObjects)
    {
        const int Ids = 16;
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedObjects = maxCachedObjects });
        var notes = documents.GetCollection<string>("notes");
        await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Task.Run(() => WorkAsync(worker), Token)));

        // Each worker has a part of its own in every object, so that it knows what it must find there.
        async Task WorkAsync(int worker)
        {
            var random = new Random((seed * 100) + worker);
            var model = new Dictionary<string, string>();
            var part = "worker" + worker;
            for (var step = 0; step < 1500; step++)
            {
                var id = "id" + random.Next(Ids);
                switch (random.Next(10))
                {
                    case < 5:
                        Assert.Equal(model.GetValueOrDefault(id), await notes.ReadAsync(id, view => view[part], Token));
                        break;
                    case 5:
                        Assert.Equal(model.Remove(id), await notes.ChangeAsync(id, editor => editor.Remove(part), Token));
                        break;
                    case 6:
                        Assert.Null(await notes.GetAsync(id, Token));
                        break;
                    default:
                        model[id] = part + "." + step;
                        await notes.PutAsync(id, part, model[id]);
                        break;
                }
            }

            foreach (var (id, value) in model)
                Assert.Equal(value, await notes.ReadAsync(id, view => view[part], Token));
        }
    }
}
