using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Documents.Tests.Expiry;

/// <summary>From its expiry on, an object is absent for every call, by the clock of the process that calls.</summary>
public sealed class ExpiryTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Object_in_memory_expires_without_a_read_of_the_store()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        await one.Notes.PutAsync("a", "part", "more");
        one.At(9.999);
        Assert.Equal("text|10", await one.Notes.GetAsync("a", Token));
        Assert.Equal(2, (await one.Notes.AllAsync("a")).Count);
        var read = store.KeysRead;
        one.At(10);
        Assert.Null(await one.Notes.GetAsync("a", Token));
        Assert.Equal([null, null], await one.Notes.GetManyAsync(["a", "none"], Token));
        Assert.Equal((false, 0, 0, null, null), await one.Notes.ReadAsync(
            "a", view => (view.Exists, view.Names.Count, view.NamesWithPrefix("p").Count, view["part"], view.SizeOf("")), Token));
        Assert.Equal(read + 1, store.KeysRead); // The read of "none".
    }

    [Fact]
    public async Task Object_that_is_read_from_the_store_has_expired_too()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store.Connect());
        await using var two = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        await one.Notes.PutAsync("b", "text");
        two.At(10);
        Assert.Equal([null, "text"], await two.Notes.GetManyAsync(["a", "b"], Token));
        Assert.Equal("text|10", await one.Notes.GetAsync("a", Token)); // By the clock of `one` the object has not expired.
    }

    [Fact]
    public async Task Change_of_an_expired_object_makes_a_new_one()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        await one.Notes.PutAsync("a", "part", "old");
        one.At(10);
        await one.Notes.ChangeAsync(
            "a",
            editor =>
            {
                Assert.False(editor.Exists);
                Assert.Empty(editor.Names);
                Assert.Null(editor["part"]);
                Assert.False(editor.Remove("part"));
                editor.Set("other", "new");
                return 0;
            },
            Token);
        Assert.Equal(new Dictionary<string, string> { ["other"] = "new" }, await one.Notes.AllAsync("a"));
        Assert.Equal(["other"], (await store.PeekAsync("notes/a"))!.Keys);
    }

    [Fact]
    public async Task Update_of_an_expired_object_gets_null()
    {
        await using var one = await Expiring.OpenAsync(new ControlledStore());
        await one.Notes.PutAsync("a", "text|10");
        one.At(10);
        Assert.Equal("new|20", await one.Notes.UpdateAsync("a", text => text is null ? "new|20" : "wrong", Token));
        Assert.Equal("new|20", await one.Notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Function_that_changes_nothing_of_an_expired_object_writes_nothing()
    {
        // Other processes, whose clocks are behind, may still see the object.
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        one.At(10);
        Assert.Null(await one.Notes.UpdateAsync("a", text => text, Token));
        Assert.Equal(0, await one.Notes.ChangeAsync("a", editor => { editor.Set("p", "x"); editor.Remove("p"); return 0; }, Token));
        Assert.Single(store.Writes);
        one.At(9);
        Assert.Equal("text|10", await one.Notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Deletion_of_an_expired_object_deletes_it_in_the_store()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        one.At(10);
        Assert.False(await one.Notes.DeleteAsync("a", Token));
        Assert.Null(await store.PeekAsync("notes/a"));
    }

    [Theory]
    [InlineData("text|30", "text|30", true)]
    [InlineData("text", "text", false)]
    public async Task Renewal_is_a_write_also_where_the_bytes_are_equal(string first, string second, bool isWritten)
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", first);
        await one.Notes.SetAsync("a", second, Token);
        await one.Notes.UpdateAsync("a", text => text, Token);
        Assert.Equal(isWritten ? 3 : 1, store.Writes.Count);
    }

    [Fact]
    public async Task Expired_value_that_is_set_again_is_written()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await one.Notes.PutAsync("a", "text|10");
        one.At(10);
        await one.Notes.SetAsync("a", "text|10", Token);
        Assert.Equal(2, store.Writes.Count);
        Assert.Null(await one.Notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Object_without_an_own_value_does_not_expire()
    {
        await using var one = await Expiring.OpenAsync(new ControlledStore());
        await one.Notes.PutAsync("a", "part", "text|10");
        one.At(1_000_000);
        Assert.Equal(new Dictionary<string, string> { ["part"] = "text|10" }, await one.Notes.AllAsync("a"));
    }

    [Fact]
    public async Task Answer_waits_for_what_has_expired_before_it_was_durable()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        using var hold = store.HoldWrites();
        var change = one.Notes.PutAsync("a", "text|10");
        await hold.Arrived;
        one.At(10);
        var read = one.Notes.GetAsync("a", Token).AsTask();
        Assert.False(read.IsCompleted);
        hold.Release();
        await change;
        Assert.Null(await read);
    }

    [Fact]
    public async Task Value_whose_expiry_can_not_be_told_is_refused_when_it_is_new_and_stays_when_it_is_stored()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("a", "text|soon");
        await using var one = await Expiring.OpenAsync(store);
        one.At(1_000_000);
        Assert.Equal("text|soon", await one.Notes.GetAsync("a", Token));
        Assert.True(await one.Notes.ReadAsync("a", view => view.Exists, Token));
        Assert.False((await Assert.ThrowsAsync<PartSerializationException>(() => one.Notes.PutAsync("b", "text|soon"))).IsStored);
    }

    [Fact]
    public async Task Value_that_can_not_be_read_does_not_expire()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("sessions").PutAsync("a", "no JSON");
        await using var documents = await Fixture.OpenAsync(store, time: new FakeTimeProvider());
        var sessions = documents.GetCollection("sessions", new CollectionOptions<Session> { ExpiresAt = session => session.Until });
        await Assert.ThrowsAsync<PartSerializationException>(() => sessions.GetAsync("a", Token).AsTask());
        await sessions.SweepAsync(DateTimeOffset.MaxValue, Token);
        Assert.NotNull(await store.PeekAsync("sessions/a"));
        await sessions.SetAsync("a", new Session(), Token);
        Assert.NotNull(await sessions.GetAsync("a", Token));
    }

    [Fact]
    public async Task Stored_mutable_value_is_read_once_to_be_judged()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<Session>("sessions").SetAsync("a", new Session { Until = Expiring.Start.AddSeconds(10) }, Token);
        await using var documents = await Fixture.OpenAsync(store, time: new FakeTimeProvider(Expiring.Start));
        var serializer = new Counting();
        var sessions = documents.GetCollection("sessions", serializer, new CollectionOptions<Session> { ExpiresAt = session => session.Until });
        for (var i = 0; i < 5; i++)
            Assert.True(await sessions.ReadAsync("a", view => view.Exists, Token));
        Assert.Equal(1, serializer.Reads);
    }

    [Fact]
    public async Task Mutable_value_that_was_set_is_not_read_to_be_judged()
    {
        var clock = new WallClock(new FakeTimeProvider(Expiring.Start));
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), time: clock);
        var serializer = new Counting();
        var sessions = documents.GetCollection("sessions", serializer, new CollectionOptions<Session> { ExpiresAt = session => session.Until });
        await sessions.SetAsync("a", new Session { Until = Expiring.Start.AddSeconds(10) }, Token);
        for (var i = 0; i < 5; i++)
            Assert.True(await sessions.ReadAsync("a", view => view.Exists, Token));
        Assert.Equal(0, serializer.Reads);
        clock.Offset = TimeSpan.FromSeconds(10);
        Assert.False(await sessions.ReadAsync("a", view => view.Exists, Token));
    }

    [Fact]
    public async Task Options_are_checked()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        Refused(new() { MaxClockSkew = TimeSpan.FromTicks(-1) });
        Refused(new() { MaxClockSkew = TimeSpan.FromDays(2) });
        Refused(new() { SweepInterval = TimeSpan.FromMilliseconds(999) });
        Refused(new() { SweepInterval = TimeSpan.FromDays(2) });
        documents.GetCollection("a", Expiring.Options);
        Assert.Same(documents.GetCollection("a", Expiring.Options), documents.GetCollection("a", Expiring.Options with { }));
        Assert.Throws<InvalidCollectionException>(() => documents.GetCollection<string>("a"));

        void Refused(CollectionOptions<string> options) => Assert.Throws<InvalidOptionException>(() => documents.GetCollection("a", options));
    }

    [Fact]
    public async Task Store_that_can_not_list_is_not_to_be_swept()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore { Capabilities = new StorageCapabilities { Lists = false } });
        Assert.Equal("SweepInterval", Assert.Throws<InvalidOptionException>(
            () => documents.GetCollection("a", Expiring.Options with { SweepInterval = TimeSpan.FromHours(1) })).Option);
        documents.GetCollection("a", Expiring.Options);
    }

    private sealed class Session
    {
        public DateTimeOffset? Until { get; set; }
    }

    private sealed class Counting : IPartSerializer<Session>
    {
        private readonly JsonPartSerializer<Session> _json = new();

        public int Reads { get; private set; }

        public bool ValuesAreImmutable => false;

        public ReadOnlyMemory<byte> Serialize(Session value) => _json.Serialize(value);

        public Session Deserialize(ReadOnlyMemory<byte> bytes)
        {
            Reads++;
            return _json.Deserialize(bytes);
        }
    }
}
