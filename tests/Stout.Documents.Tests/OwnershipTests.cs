using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>Collections that claim their objects, and reads that the store confirms.</summary>
public sealed class OwnershipTests
{
    private static readonly CollectionOptions<string> Claims = new() { Ownership = Ownership.Claim };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Confirmed_read_beside_a_change_of_its_own_in_flight_asks_the_store()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", Claims with { Freshness = Freshness.Confirmed });
        await notes.PutAsync("a", "1");
        using var hold = store.HoldWrites("a");
        var change = notes.PutAsync("a", "2");
        await hold.Arrived;
        var asked = store.KeysRead;
        var value = notes.GetAsync("a", Token).AsTask();
        var part = notes.ReadAsync("a", static view => view[""], Token).AsTask();
        hold.Release();

        Assert.Equal("2", await value);
        Assert.Equal("2", await part);
        await change;
        Assert.True(store.KeysRead > asked, "The store was not asked.");
    }

    [Fact]
    public async Task Process_that_another_one_has_taken_an_object_from_changes_nothing_until_it_claims_it_back()
    {
        var store = new InMemoryStore();
        await using var one = await Fixture.OpenAsync(store);
        await using var two = await Fixture.OpenAsync(store.Connect());
        var (first, second) = (one.GetCollection<string>("notes", Claims), two.GetCollection<string>("notes", Claims));
        await first.PutAsync("a", "1");
        await second.UpdateAsync("a", text => text + "2", Token);

        Assert.Equal(2, (await Assert.ThrowsAsync<FencedException>(() => first.PutAsync("a", "late"))).StoredEpoch);

        Assert.Equal("12", await first.GetAsync("a", Token));
        Assert.Equal("123", await first.UpdateAsync("a", text => text + "3", Token));
        await Assert.ThrowsAsync<FencedException>(() => second.PutAsync("a", "late"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Confirmed_read_of_a_former_owner_fails_and_one_from_memory_is_stale(bool byCollection)
    {
        var store = new InMemoryStore();
        await using var one = await Fixture.OpenAsync(store);
        await using var two = await Fixture.OpenAsync(store.Connect());
        var options = byCollection ? Claims with { Freshness = Freshness.Confirmed } : Claims;
        var (first, second) = (one.GetCollection<string>("notes", options), two.GetCollection<string>("notes", options));
        await first.PutAsync("a", "old");
        await first.PutAsync("b", "old");
        Assert.Equal("old", await GetAsync("a"));
        await second.PutAsync("a", "new");
        await second.PutAsync("b", "new");
        Assert.Equal("old", await first.GetAsync("a", Freshness.Memory, Token));

        await Assert.ThrowsAsync<FencedException>(() => GetAsync("a").AsTask());
        await Assert.ThrowsAsync<FencedException>(() => ReadAsync("b").AsTask());

        // The next call claims the object and reads it.
        Assert.Equal("new", await GetAsync("a"));
        Assert.Equal("new", await ReadAsync("b"));

        ValueTask<string?> GetAsync(string id) => byCollection ? first.GetAsync(id, Token) : first.GetAsync(id, Freshness.Confirmed, Token);
        ValueTask<string?> ReadAsync(string id) => byCollection
            ? first.ReadAsync(id, view => view[""], Token)
            : first.ReadAsync(id, view => view[""], Freshness.Confirmed, Token);
    }

    [Fact]
    public async Task Function_that_changes_nothing_is_confirmed_too()
    {
        var store = new InMemoryStore();
        await using var one = await Fixture.OpenAsync(store);
        await using var two = await Fixture.OpenAsync(store.Connect());
        var options = Claims with { Freshness = Freshness.Confirmed };
        var (first, second) = (one.GetCollection<string>("notes", options), two.GetCollection<string>("notes", options));
        await first.PutAsync("account", "0");
        await second.PutAsync("account", "money");

        await Assert.ThrowsAsync<FencedException>(() => first.UpdateAsync("account", text => text == "0" ? throw new InvalidOperationException("no money") : text, Token).AsTask());
        Assert.Equal("money", await first.UpdateAsync("account", text => text, Token));
    }

    [Fact]
    public async Task Object_without_an_owner_that_another_process_has_written_is_in_conflict()
    {
        var store = new InMemoryStore();
        await using var one = await Fixture.OpenAsync(store);
        await using var two = await Fixture.OpenAsync(store.Connect());
        var (first, second) = (one.GetCollection<string>("notes"), two.GetCollection<string>("notes"));
        await first.PutAsync("a", "old");
        await second.PutAsync("a", "new");

        await Assert.ThrowsAsync<ConflictException>(() => first.GetAsync("a", Freshness.Confirmed, Token).AsTask());
        Assert.Equal("new", await first.GetAsync("a", Token));
    }

    [Fact]
    public async Task Claimed_object_can_be_evicted_and_comes_back()
    {
        await using var documents = await Fixture.OpenAsync(new InMemoryStore(), Fixture.Options with { MaxCachedObjects = 1 });
        var notes = documents.GetCollection<string>("notes", Claims);
        for (var round = 0; round < 3; round++)
        {
            foreach (var id in new[] { "a", "b", "c" })
                await notes.UpdateAsync(id, text => text + $"{round}", Token);
        }

        Assert.Equal("012", await notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Sweep_takes_no_object_from_its_owner_unless_it_has_expired()
    {
        var time = new FakeTimeProvider();
        var store = new InMemoryStore();
        await using var one = await DocumentStore.OpenAsync(store, Fixture.Options, time, Token);
        await using var two = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, time, Token);
        var options = new CollectionOptions<string> { Ownership = Ownership.Claim, ExpiresAt = text => text == "old" ? time.GetUtcNow() : null };
        var (first, second) = (one.GetCollection("notes", options), two.GetCollection("notes", options));
        await first.PutAsync("stays", "new");
        await first.PutAsync("goes", "old");

        await second.SweepAsync(time.GetUtcNow() + TimeSpan.FromHours(1), Token);

        await first.UpdateAsync("stays", text => text + "er", Token);
        Assert.Equal(["stays"], await second.ListAsync(cancellationToken: Token).ToListAsync(Token));
    }

    [Fact]
    public async Task Options_that_exclude_one_another_are_told()
    {
        await using var documents = await Fixture.OpenAsync(new InMemoryStore());
        Assert.Throws<InvalidOptionException>(() => documents.GetCollection<string>("a", Claims with { OnConflict = OnConflict.Retry }));
        Assert.Throws<InvalidOptionException>(() => documents.GetCollection<string>("b", new CollectionOptions<string> { Ownership = (Ownership)7 }));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => documents.GetCollection<string>("c").GetAsync("a", Freshness.Store, Token).AsTask());
    }
}
