using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>Listing shows what the store holds of one collection.</summary>
public sealed class ListingTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Listing_has_the_ids_of_one_collection_that_begin_with_a_prefix()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await documents.GetCollection<string>("notes2").PutAsync("other", "one");
        foreach (var id in (string[])["a", "ab", "b"])
            await notes.PutAsync(id, "one");
        await notes.PutAsync("deleted", "one");
        await notes.DeleteAsync("deleted", Token);
        await notes.GetAsync("absent", Token);
        Assert.Equal(["a", "ab", "b"], (await notes.ListAsync(cancellationToken: Token).ToListAsync(Token)).Order(StringComparer.Ordinal));
        Assert.Equal(["a", "ab"], (await notes.ListAsync("a", Token).ToListAsync(Token)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task What_is_not_durable_is_not_listed()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var change = notes.PutAsync("a", "one");
        await hold.Arrived;
        Assert.Empty(await notes.ListAsync(cancellationToken: Token).ToListAsync(Token));
        hold.Release();
        await change;
        Assert.Equal(["a"], await notes.ListAsync(cancellationToken: Token).ToListAsync(Token));
    }

    [Fact]
    public async Task Many_ids_come_in_pages()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await Task.WhenAll(Enumerable.Range(0, 2_500).Select(i => notes.PutAsync($"{i}", "one")));
        var pages = 0;
        store.Listed = _ => pages++;
        Assert.Equal(2_500, (await notes.ListAsync(cancellationToken: Token).ToListAsync(Token)).Distinct().Count());
        Assert.Equal(3, pages);
    }

    [Fact]
    public async Task Trouble_that_passes_is_waited_out_and_other_trouble_is_told()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider { AutoAdvanceAmount = TimeSpan.Zero });
        var documents = new DocumentStore(store, Fixture.Options.Copy(), time);
        await documents.Client.OpenAsync(Token);
        await using var closing = documents;
        var notes = documents.GetCollection<string>("notes");
        var asked = 0;
        store.Listed = _ =>
        {
            if (++asked < 4)
                throw new StoreException(StoreErrorKind.Unreachable, "away");
        };
        var listing = notes.ListAsync(cancellationToken: Token).ToListAsync(Token).AsTask();
        await MoveUntilEndAsync(listing, time, TimeSpan.FromMilliseconds(200));
        Assert.Empty(await listing);
        Assert.Equal(4, asked);

        store.Listed = _ => throw new StoreException(StoreErrorKind.Refused, "no permission");
        await Assert.ThrowsAsync<StoreException>(() => notes.ListAsync(cancellationToken: Token).ToListAsync(Token).AsTask());

        store.Listed = _ => throw new StoreException(StoreErrorKind.Unreachable, "away");
        listing = notes.ListAsync(cancellationToken: Token).ToListAsync(Token).AsTask();
        await MoveUntilEndAsync(listing, time, TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<StoreException>(() => listing);
    }

    [Fact]
    public async Task Stopped_store_lists_nothing()
    {
        var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await documents.DisposeAsync();
        await Assert.ThrowsAsync<StoppedException>(() => notes.ListAsync(cancellationToken: Token).ToListAsync(Token).AsTask());
    }

    /// <summary>Lets virtual time pass until the listing has ended, in at most 100,000 steps.</summary>
    private static async Task MoveUntilEndAsync(Task listing, FakeTimeProvider time, TimeSpan step)
    {
        for (var steps = 0; !listing.IsCompleted; steps++)
        {
            Assert.True(steps < 100_000, "The listing never ends.");
            time.Advance(step);
            await Task.Yield();
        }
    }
}
