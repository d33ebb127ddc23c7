using System.Text;

namespace Stout.Documents.Tests;

/// <summary>A change that leaves an object's bytes as they are writes nothing. Its call still waits until the state that it has seen is durable.</summary>
public sealed class UnchangedValueTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Value_with_the_same_bytes_is_not_written(bool valuesAreImmutable)
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection("notes", new JsonPartSerializer<Note>(valuesAreImmutable: valuesAreImmutable));
        await notes.UpdateAsync("a", _ => new Note("text"), Token);
        Assert.Equal(new Note("text"), await notes.UpdateAsync("a", _ => new Note("text"), Token));
        Assert.Equal(new Note("text"), await notes.UpdateAsync("a", note => note, Token));
        Assert.Single(store.Writes);
        await notes.UpdateAsync("a", _ => new Note("TEXT"), Token);
        Assert.Equal(2, store.Writes.Count);
        Assert.Equal("TEXT", (await notes.GetAsync("a", Token))!.Text);
    }

    [Fact]
    public async Task Value_that_was_read_from_the_store_is_compared_too()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("a", "text");
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "text");
        Assert.Equal("text", await notes.GetAsync("a", Token));
        await notes.PutAsync("a", "text");
        Assert.Empty(store.Writes);
    }

    [Fact]
    public async Task Part_that_is_set_back_within_one_change_is_not_written()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one", "1");
        await notes.PutAsync("a", "two", "2");
        var names = await notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Set("one", "other");
                editor.Remove("two");
                editor.Set("two", "2");
                editor.Set("one", "1");
                return editor.Names;
            },
            Token);
        Assert.Equal(["one", "two"], names);
        Assert.Equal(2, store.Writes.Count);
    }

    [Fact]
    public async Task Object_that_is_deleted_and_set_again_within_one_change_is_written_anew()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one", "1");
        await notes.PutAsync("a", "two", "2");
        await notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Delete();
                editor.Set("one", "1");
                return true;
            },
            Token);
        Assert.Equal(new Dictionary<string, string> { ["one"] = "1" }, await notes.AllAsync("a"));
        Assert.Equal("1"u8.ToArray(), Assert.Single((await store.PeekAsync("notes/a"))!).Value);
    }

    [Fact]
    public async Task Unchanged_value_waits_for_the_change_that_made_it()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var first = notes.PutAsync("a", "text");
        await hold.Arrived;
        var second = notes.PutAsync("a", "text");
        Assert.False(second.IsCompleted);
        hold.Release();
        await Task.WhenAll(first, second);
        Assert.Single(store.Writes);
    }

    [Fact]
    public async Task Value_that_can_not_be_read_any_more_is_set_anew()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<byte[]>("notes").UpdateAsync("a", _ => Encoding.UTF8.GetBytes("no JSON"), Token);
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<Note>("notes");
        await Assert.ThrowsAsync<PartSerializationException>(() => notes.UpdateAsync("a", old => old ?? new Note("new"), Token).AsTask());
        await notes.SetAsync("a", new Note("new"), Token);
        Assert.Equal(new Note("new"), await notes.GetAsync("a", Token));
    }

    private sealed record Note(string Text);
}
