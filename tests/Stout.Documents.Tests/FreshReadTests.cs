namespace Stout.Documents.Tests;

/// <summary>A read with <see cref="Freshness.Store"/> reads an object from the store again, even if it is in memory.</summary>
public sealed class FreshReadTests
{
    private static readonly CollectionOptions<string> Fresh = new() { Freshness = Freshness.Store };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 30_000)]
    public async Task Reads_that_wait_for_the_same_earlier_change_all_end()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes", Fresh);
        await notes.PutAsync("a", "1");
        using var hold = store.HoldWrites();
        var change = notes.PutAsync("a", "2");
        await hold.Arrived;
        var reads = Enumerable.Range(0, 5).Select(_ => notes.GetAsync("a", Token).AsTask()).ToList();
        Assert.All(reads, read => Assert.False(read.IsCompleted));
        hold.Release();
        await change;
        Assert.All(await Task.WhenAll(reads), text => Assert.Equal("2", text));
        await notes.PutAsync("a", "3");
    }

    [Fact]
    public async Task Read_does_not_join_a_fill_that_began_before_it()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        await using var other = await Fixture.OpenAsync(store.Connect());
        var notes = documents.GetCollection<string>("notes", Fresh);

        // The first read has its answer from before the other process' change, and the answer is under way while the second read begins.
        var answers = 0;
        store.AnswerRead = _ => Interlocked.Increment(ref answers) == 1 ? Storage.ReadOutcome.NotFound(Storage.Stamp.Absent) : null;
        using var hold = store.HoldReads("a");
        var early = notes.GetAsync("a", Token).AsTask();
        await hold.Arrived;
        await other.GetCollection<string>("notes").PutAsync("a", "new");
        var late = notes.GetAsync("a", Token).AsTask();
        var part = notes.ReadAsync("a", static view => view[""], Token).AsTask();
        var unchanged = notes.ChangeAsync("a", static editor => editor[""], Token).AsTask();
        hold.Release();

        Assert.Equal("new", await late);
        Assert.Equal("new", await part);
        Assert.Equal("new", await unchanged);
        await early;
    }

    [Fact]
    public async Task Object_that_is_read_anew_counts_once_in_memory()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes", Fresh);
        await notes.PutAsync("a", "1");
        for (var i = 0; i < 10; i++)
            await notes.GetAsync("a", Token);
        Assert.Equal(1, documents.Cache.Count);
        Assert.Equal(MemoryCost.OfDocument("a") + MemoryCost.OfPart("", "1", 1), documents.Cache.Bytes);
    }
}
