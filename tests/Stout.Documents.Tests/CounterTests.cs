using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>The counters of the typed layer's writes, compared with the writes that the store got.</summary>
public sealed class CounterTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Keys_and_bytes_written_are_those_that_the_store_got()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "12345");
        await notes.PutAsync("a", "part", "123");
        await notes.PutAsync("b", "1");
        await notes.PutAsync("a", "part", "1234567");
        await notes.ChangeAsync("a", static editor => editor.Remove("part"), Token);
        await notes.DeleteAsync("b", Token);

        Assert.Equal(5 + 3 + 1 + 7, BytesOf(store.Writes));
        var statistics = documents.GetStatistics();
        Assert.Equal((6, 16, 6, 6), (statistics.KeysWritten, statistics.BytesWritten, statistics.Changes, statistics.WriteRequests));
    }

    [Fact]
    public async Task Write_that_is_repeated_counts_once()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var attempts = 0;
        store.Answer = _ => ++attempts < 3 ? new WriteOutcome(WriteOutcomeKind.Overloaded) : null;
        await documents.GetCollection<string>("notes").PutAsync("a", "12345");

        Assert.Equal(3, store.Writes.Count);
        var statistics = documents.GetStatistics();
        Assert.Equal((1, 5, 1, 0), (statistics.KeysWritten, statistics.BytesWritten, statistics.Changes, statistics.KeysFailed));
    }

    [Fact]
    public async Task Failed_write_counts_as_a_failed_key_and_not_as_written()
    {
        var store = new ControlledStore { Answer = _ => new WriteOutcome(WriteOutcomeKind.Refused) };
        await using var documents = await Fixture.OpenAsync(store);
        await Assert.ThrowsAsync<NotAppliedException>(() => documents.GetCollection<string>("notes").PutAsync("a", "12345"));

        var statistics = documents.GetStatistics();
        Assert.Equal((0, 0, 1, 1), (statistics.KeysWritten, statistics.BytesWritten, statistics.KeysFailed, statistics.Changes));
        Assert.Equal((0, 0L), (documents.Cache.Count, documents.Cache.Bytes));
    }

    [Fact]
    public async Task Object_that_is_read_counts_once_with_its_parts_together()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("a", "part", "12345");
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        for (var i = 0; i < 5; i++)
            await notes.AllAsync("a");
        await notes.GetAsync("none", Token);

        Assert.Equal((2, 2), (documents.GetStatistics().KeysRead, store.KeysRead));
    }

    [Fact]
    public async Task Evicted_objects_take_all_their_bytes_off()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedObjects = 2 });
        var notes = documents.GetCollection<string>("notes");
        for (var i = 10; i < 40; i++)
        {
            await notes.PutAsync("id" + i, new string('x', 100));
            await notes.PutAsync("id" + i, "part", new string('x', 50));
        }

        var each = MemoryCost.OfDocument("id10") + MemoryCost.OfPart("", new string('x', 100), 100) + MemoryCost.OfPart("part", new string('x', 50), 50);
        Assert.InRange(documents.Cache.Count, 1, 5);
        Assert.Equal(documents.Cache.Count * each, documents.Cache.Bytes);
    }

    private static long BytesOf(IEnumerable<RecordedWrite> writes) => writes.Sum(write => write.Parts.Values.Sum(static value => value?.Length ?? 0));
}
