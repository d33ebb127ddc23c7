using System.Text.Json;

namespace Stout.Documents.Tests;

/// <summary>If a change fails before it is made, nothing has changed: neither for readers nor in the store.</summary>
public sealed class RolledBackChangeTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Function_that_throws_has_changed_nothing()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "x", "1");
        var writes = store.Writes.Count;
        var error = new InvalidTimeZoneException();
        var thrown = await Assert.ThrowsAsync<InvalidTimeZoneException>(() => notes.ChangeAsync<int>(
            "a",
            editor =>
            {
                editor.Delete();
                editor.Set("y", "2");
                throw error;
            },
            Token).AsTask());
        Assert.Same(error, thrown);
        Assert.Equal("1", Assert.Single(await notes.AllAsync("a")).Value);
        Assert.Equal(writes, store.Writes.Count);
        await notes.PutAsync("a", "y", "3");
        Assert.Equal(["x", "y"], (await store.PeekAsync("notes/a"))!.Keys.Order());
    }

    [Fact]
    public async Task Value_changed_in_place_by_a_function_that_throws_is_as_it_was()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var counters = documents.GetCollection<Counter>("counters");
        await counters.UpdateAsync("a", _ => new Counter { Count = 1 }, Token);
        await Assert.ThrowsAsync<InvalidTimeZoneException>(() => counters.UpdateAsync(
            "a",
            counter =>
            {
                counter!.Count = 99;
                throw new InvalidTimeZoneException();
            },
            Token).AsTask());
        Assert.Equal(1, (await counters.GetAsync("a", Token))!.Count);
    }

    [Fact]
    public async Task Mutable_value_that_was_handed_out_or_in_can_be_changed_without_effect()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var counters = documents.GetCollection<Counter>("counters");
        var handedIn = new Counter { Count = 1 };
        var returned = await counters.UpdateAsync("a", _ => handedIn, Token);
        var read = await counters.GetAsync("a", Token);
        handedIn.Count = 90;
        returned!.Count = 91;
        read!.Count = 92;
        await counters.ReadAsync("a", view => view[""]!.Count = 93, Token);
        Assert.Equal(1, (await counters.GetAsync("a", Token))!.Count);
        var after = await counters.UpdateAsync(
            "a",
            counter =>
            {
                counter!.Count++;
                return counter;
            },
            Token);
        Assert.Equal(2, after!.Count);
        Assert.Equal("""{"Count":2}"""u8.ToArray(), (await store.PeekAsync("counters/a"))![""]);
    }

    [Fact]
    public async Task Values_declared_immutable_are_shared()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var counters = documents.GetCollection("counters", new JsonPartSerializer<Counter>(valuesAreImmutable: true));
        var value = new Counter { Count = 1 };
        await counters.UpdateAsync("a", _ => value, Token);
        Assert.Same(value, await counters.GetAsync("a", Token));
    }

    [Fact]
    public async Task Value_that_can_t_be_serialized_fails_its_change_alone()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "x", "1");
        var error = await Assert.ThrowsAsync<PartSerializationException>(() => notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Set("x", "2");
                editor.Set("y", "half a pair: \ud800");
                return 0;
            },
            Token).AsTask());
        Assert.Equal((new PartitionKey("notes/a"), new SubKey("y"), false), (error.Key, error.Part, error.IsStored));
        Assert.IsType<System.Text.EncoderFallbackException>(error.InnerException);
        Assert.Equal("1", Assert.Single(await notes.AllAsync("a")).Value);
        Assert.Single(store.Writes);
    }

    [Fact]
    public async Task Stored_bytes_that_are_no_value_fail_the_access_to_their_part_alone()
    {
        var store = new ControlledStore();
        await using (var before = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token))
        {
            var raw = before.GetCollection<byte[]>("counters");
            await raw.ChangeAsync("a", editor => Set(editor, ("bad", "{"u8.ToArray()), ("null", "null"u8.ToArray()), ("good", "{}"u8.ToArray())), Token);
        }

        await using var documents = await Fixture.OpenAsync(store);
        var counters = documents.GetCollection<Counter>("counters");
        foreach (var part in new[] { "bad", "null" })
        {
            var error = await Assert.ThrowsAsync<PartSerializationException>(() => counters.ReadAsync("a", view => view[part], Token).AsTask());
            Assert.Equal((new PartitionKey("counters/a"), new SubKey(part), true), (error.Key, error.Part, error.IsStored));
            Assert.IsAssignableFrom<JsonException>(error.InnerException);
        }

        Assert.Equal(0, await counters.ReadAsync("a", view => view["good"]!.Count, Token));
        await counters.ChangeAsync("a", editor => editor.Remove("bad"), Token);
        Assert.Equal(["good", "null"], await counters.ReadAsync("a", view => view.Names, Token));
    }

    [Fact]
    public async Task Bad_names_and_values_are_told_before_anything_is_altered()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.PutAsync("a", new string('p', SubKey.MaxBytes + 1), "1"));
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.PutAsync("a", "\udfff", "1"));
        await Assert.ThrowsAsync<ArgumentNullException>(() => notes.PutAsync("a", "x", null!));
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.PutAsync("", "1"));
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.PutAsync(new string('k', PartitionKey.MaxBytes), "1"));
        await Assert.ThrowsAsync<InvalidKeyException>(() => notes.GetAsync("\ud800", Token).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>(() => notes.GetAsync(null!, Token).AsTask());
        Assert.Empty(store.Writes);
        await notes.PutAsync("/ and \0 and \U0001F600", "fine");
        Assert.Equal("fine", await notes.GetAsync("/ and \0 and \U0001F600", Token));
    }

    private static bool Set(DocumentEditor<byte[]> editor, params (string Name, byte[] Value)[] parts)
    {
        foreach (var (name, value) in parts)
            editor.Set(name, value);
        return true;
    }

    private sealed class Counter
    {
        public int Count { get; set; }
    }
}
