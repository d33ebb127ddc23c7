using System.Text.Json.Serialization;

namespace Stout.Documents.Tests;

/// <summary>Collections, serializers, options, and the end of a store's life.</summary>
public sealed partial class DocumentStoreTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Collections_have_their_own_namespaces()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        var tasks = documents.GetCollection<string>("tasks");
        await notes.PutAsync("a", "note");
        await tasks.PutAsync("a", "task");
        Assert.Equal("note", await notes.GetAsync("a", Token));
        Assert.Equal("task", await tasks.GetAsync("a", Token));
        Assert.True(await tasks.DeleteAsync("a", Token));
        Assert.NotNull(await store.PeekAsync("notes/a"));
    }

    [Fact]
    public async Task Collection_is_the_same_for_the_same_name_and_type()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var serializer = new StringPartSerializer();
        var notes = documents.GetCollection("notes", serializer);
        Assert.Same(notes, documents.GetCollection<string>("notes"));
        Assert.Same(notes, documents.GetCollection("notes", serializer));
        Assert.Equal("notes", Assert.Throws<InvalidCollectionException>(() => documents.GetCollection<byte[]>("notes")).Collection);
        Assert.Throws<InvalidCollectionException>(() => documents.GetCollection("notes", new StringPartSerializer()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("Notes")]
    [InlineData("notes ")]
    [InlineData("é")]
    [InlineData("a23456789-123456789-123456789-123456789-123456789-123456789-12345")]
    public async Task Collection_name_is_checked(string name)
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        Assert.Equal(name, Assert.Throws<InvalidCollectionException>(() => documents.GetCollection<string>(name)).Collection);
        Assert.NotNull(documents.GetCollection<string>("a23456789-123456789-123456789-123456789-123456789-123456789_1234"));
    }

    [Theory]
    [InlineData("FF")]
    [InlineData("C080")]
    [InlineData("EDA080")]
    public async Task Stored_bytes_that_are_no_text_are_told_and_not_replaced(string hex)
    {
        var store = new ControlledStore();
        await using (var documents = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token))
        {
            await documents.GetCollection<byte[]>("texts").UpdateAsync("a", _ => Convert.FromHexString(hex), Token);
            await documents.GetCollection<byte[]>("notes").UpdateAsync("a", _ => Convert.FromHexString("2241" + hex + "22"), Token);
        }

        await using var again = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token);
        Assert.True((await Assert.ThrowsAsync<PartSerializationException>(async () => await again.GetCollection<string>("texts").GetAsync("a", Token))).IsStored);
        var notes = again.GetCollection("notes", new JsonPartSerializer<Uri>());
        Assert.True((await Assert.ThrowsAsync<PartSerializationException>(async () => await notes.GetAsync("a", Token))).IsStored);
    }

    [Fact]
    public async Task Values_of_every_kind_come_back_from_the_store()
    {
        var store = new ControlledStore();
        var bytes = Enumerable.Range(0, 256).Select(i => (byte)i).ToArray();
        await using (var documents = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token))
        {
            await documents.GetCollection<string>("strings").PutAsync("a", "zero \0, é, \U0001F600");
            await documents.GetCollection<string>("strings").PutAsync("empty", "");
            await documents.GetCollection<byte[]>("bytes").UpdateAsync("a", _ => bytes, Token);
            await documents.GetCollection<Book>("books").UpdateAsync("a", _ => new Book("Stout", ["McCullough", "Dunagan"]), Token);
            await documents.GetCollection("generated", new JsonPartSerializer<Book>(BookContext.Default.Book)).UpdateAsync("a", _ => new Book("b", []), Token);
        }

        await using var again = await Fixture.OpenAsync(store);
        Assert.Equal("zero \0, é, \U0001F600", await again.GetCollection<string>("strings").GetAsync("a", Token));
        Assert.Equal("", await again.GetCollection<string>("strings").GetAsync("empty", Token));
        Assert.Equal(bytes, await again.GetCollection<byte[]>("bytes").GetAsync("a", Token));
        var book = await again.GetCollection<Book>("books").GetAsync("a", Token);
        Assert.Equal(("Stout", "Dunagan"), (book!.Title, book.Authors[1]));
        Assert.Equal("b", (await again.GetCollection("generated", new JsonPartSerializer<Book>(BookContext.Default.Book)).GetAsync("a", Token))!.Title);
        Assert.Equal("""{"title":"b","authors":[]}"""u8.ToArray(), (await store.PeekAsync("generated/a"))![""]);
    }

    [Fact]
    public async Task Bytes_are_handed_over_without_a_copy()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var blobs = documents.GetCollection<byte[]>("blobs");
        byte[] bytes = [1, 2, 3];
        await blobs.UpdateAsync("a", _ => bytes, Token);
        Assert.Same(bytes, await blobs.GetAsync("a", Token));
    }

    [Fact]
    public async Task Calls_after_the_end_are_told_so()
    {
        var store = new ControlledStore();
        var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "1");
        await documents.DisposeAsync();
        await documents.DisposeAsync();
        Assert.True(store.IsDisposed);
        foreach (var id in new[] { "a", "not in memory" })
        {
            await Assert.ThrowsAsync<StoppedException>(() => notes.GetAsync(id, Token).AsTask());
            await Assert.ThrowsAsync<StoppedException>(() => notes.AllAsync(id));
            await Assert.ThrowsAsync<StoppedException>(() => notes.PutAsync(id, "2"));
            await Assert.ThrowsAsync<StoppedException>(() => notes.DeleteAsync(id, Token).AsTask());
        }
    }

    [Fact]
    public async Task Stopping_waits_until_what_was_changed_is_durable()
    {
        var store = new ControlledStore();
        var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var hold = store.HoldWrites();
        var changes = new[] { notes.PutAsync("a", "1"), notes.PutAsync("a", "2") };
        await hold.Arrived;
        var stop = documents.StopAsync(Token);
        Assert.False(stop.IsCompleted);
        hold.Release();
        await stop;
        await Task.WhenAll(changes);
        Assert.Equal("2"u8.ToArray(), (await store.PeekAsync("notes/a"))![""]);
        await documents.DisposeAsync();
    }

    [Fact]
    public async Task Shutdown_that_can_not_wait_fails_what_is_not_durable()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        await notes.GetAsync("b", Token);
        using var hold = store.HoldWrites();
        var sent = notes.PutAsync("a", "1");
        await hold.Arrived;
        await documents.StopAsync(Fixture.Cancelled);
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => sent);
        await Assert.ThrowsAsync<StoppedException>(() => notes.PutAsync("b", "2"));
        hold.Release();
    }

    [Fact]
    public async Task Options_are_checked_and_the_store_is_not_left_open()
    {
        var store = new ControlledStore();
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => Fixture.OpenAsync(store, Fixture.Options with { MaxCachedObjects = 0 }).AsTask());
        Assert.Equal(nameof(DocumentStoreOptions.MaxCachedObjects), error.Option);
        Assert.True(store.IsDisposed);
        error = await Assert.ThrowsAsync<InvalidOptionException>(
            () => Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedBytes = 0 }).AsTask());
        Assert.Equal(nameof(DocumentStoreOptions.MaxCachedBytes), error.Option);
        error = await Assert.ThrowsAsync<InvalidOptionException>(
            () => Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { Stout = new StoutOptions { MaxDirtyKeys = 0 } }).AsTask());
        Assert.Equal(nameof(StoutOptions.MaxDirtyKeys), error.Option);
    }

    internal sealed record Book(string Title, string[] Authors);

    [JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
    [JsonSerializable(typeof(Book))]
    internal sealed partial class BookContext : JsonSerializerContext;
}
