using System.Text;
using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>Objects with parts: a write carries only the parts that have changed, and parts that one call has changed commit together.</summary>
public sealed class PartsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Changed_parts_are_written_alone()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.ChangeAsync("a", editor => Set(editor, ("x", new string('x', 500)), ("y", "1")), Token);
        await notes.PutAsync("a", "y", "22");
        var last = store.Writes[^1];
        Assert.Equal(KeyWriteKind.Merge, last.Kind);
        Assert.Equal("22", Encoding.UTF8.GetString(Assert.Single(last.Parts).Value!));
        Assert.Equal(2, (await notes.AllAsync("a")).Count);
    }

    [Fact]
    public async Task Deleting_an_object_names_no_parts()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.ChangeAsync("a", editor => Set(editor, ("x", "1"), ("y", "2")), Token);
        Assert.True(await notes.DeleteAsync("a", Token));
        Assert.Equal((KeyWriteKind.Delete, 0), (store.Writes[^1].Kind, store.Writes[^1].Parts.Count));
        Assert.Null(await store.PeekAsync("notes/a"));
        Assert.False(await notes.ReadAsync("a", view => view.Exists, Token));
        Assert.False(await notes.DeleteAsync("a", Token));
    }

    [Fact]
    public async Task Removing_the_last_part_deletes_the_object()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.ChangeAsync("a", editor => Set(editor, ("", "own"), ("x", "1")), Token);
        Assert.Null(await notes.UpdateAsync("a", _ => null, Token));
        Assert.Equal(["x"], (await store.PeekAsync("notes/a"))!.Keys);
        Assert.True(await notes.ChangeAsync("a", editor => editor.Remove("x"), Token));
        Assert.Equal(KeyWriteKind.Delete, store.Writes[^1].Kind);
        Assert.Null(await store.PeekAsync("notes/a"));
    }

    [Fact]
    public async Task Object_deleted_and_written_again_has_the_new_parts_alone()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.ChangeAsync("a", editor => Set(editor, ("x", "1"), ("y", "2")), Token);
        await notes.DeleteAsync("a", Token);
        await notes.PutAsync("a", "z", "3");
        Assert.Equal(["z"], (await store.PeekAsync("notes/a"))!.Keys);

        // Now one call deletes the object and sets a new part.
        await notes.ChangeAsync(
            "a",
            editor =>
            {
                Set(editor, ("q", "lost"));
                editor.Delete();
                Assert.False(editor.Exists);
                Assert.Null(editor["z"]);
                return Set(editor, ("w", "4"));
            },
            Token);
        Assert.Equal(KeyWriteKind.Replace, store.Writes[^1].Kind);
        Assert.Equal(["w"], (await store.PeekAsync("notes/a"))!.Keys);
        Assert.Equal(["w"], (await notes.AllAsync("a")).Keys);
    }

    [Fact]
    public async Task Object_deleted_and_written_again_while_a_batch_is_under_way_has_the_new_parts_alone()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var changes = new List<Task> { notes.ChangeAsync("a", editor => Set(editor, ("x", "1"), ("y", "2")), Token).AsTask() };
        await hold.Arrived;
        changes.Add(notes.PutAsync("a", "v", "lost"));
        changes.Add(notes.DeleteAsync("a", Token).AsTask());
        changes.Add(notes.PutAsync("a", "z", "3"));
        hold.Release();
        await Task.WhenAll(changes);
        Assert.Equal(["z"], (await store.PeekAsync("notes/a"))!.Keys);
    }

    [Fact]
    public async Task Change_that_the_store_could_not_take_for_now_goes_again_with_what_came_after_it()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with
        {
            Stout = Fixture.Options.Stout with { MinRetryDelay = TimeSpan.FromMilliseconds(1), MaxRetryDelay = TimeSpan.FromMilliseconds(1) },
        });
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var first = notes.ChangeAsync("a", editor => Set(editor, ("x", "1"), ("y", "2")), Token).AsTask();
        await hold.Arrived;
        var second = notes.ChangeAsync("a", editor => Set(editor, ("y", "3")) & editor.Remove("x"), Token).AsTask();
        var refusals = 1;
        store.Answer = _ => Interlocked.Decrement(ref refusals) >= 0 ? new WriteOutcome(WriteOutcomeKind.Overloaded) : null;
        hold.Release();
        await Task.WhenAll(first, second);
        Assert.Equal("3", Encoding.UTF8.GetString(Assert.Single((await store.PeekAsync("notes/a"))!).Value));
    }

    [Fact]
    public async Task Names_are_in_ordinal_order_and_found_by_prefix()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        string[] names = ["b", "a/2", "a", "é", "a/10", "B", "a/", "", "a0"];
        await notes.ChangeAsync("a", editor => Set(editor, [.. names.Select(name => (name, name))]), Token);
        var kept = await notes.ReadAsync("a", view => view.Names, Token);
        Assert.Equal(names.Order(StringComparer.Ordinal), kept);
        Assert.Equal(["a/", "a/10", "a/2"], await notes.ReadAsync("a", view => view.NamesWithPrefix("a/"), Token));
        Assert.Equal(kept, await notes.ReadAsync("a", view => view.NamesWithPrefix(""), Token));
        Assert.Empty(await notes.ReadAsync("a", view => view.NamesWithPrefix("zz"), Token));

        // A list of names that a function has returned does not change with the object.
        await notes.DeleteAsync("a", Token);
        Assert.Equal(names.Length, kept.Count);
    }

    [Fact]
    public async Task Sizes_are_those_of_the_bytes()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        Assert.Equal(2, await notes.ChangeAsync("a", editor => Set(editor, ("x", "é")) ? editor.SizeOf("x") : null, Token));
        Assert.Equal((2, null), await notes.ReadAsync("a", view => (view.SizeOf("x"), view.SizeOf("y")), Token));
    }

    [Fact]
    public async Task View_and_editor_work_only_until_their_function_returns()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        var view = await notes.ReadAsync("a", view => view, Token);
        var editor = await notes.ChangeAsync("a", editor => editor, Token);
        Assert.Throws<InvalidOperationException>(() => view[""]);
        Assert.Throws<InvalidOperationException>(() => view.Names);
        Assert.Throws<InvalidOperationException>(() => view.Exists);
        Assert.Throws<InvalidOperationException>(() => editor[""]);
        Assert.Throws<InvalidOperationException>(() => editor.Exists);
        Assert.Throws<InvalidOperationException>(() => editor.Set("", "late"));
        Assert.Throws<InvalidOperationException>(() => editor.Remove(""));
        Assert.Throws<InvalidOperationException>(editor.Delete);
    }

    [Fact]
    public async Task Editor_shows_its_function_what_a_dictionary_would()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        var random = new Random(7);
        var model = new SortedDictionary<string, string>(StringComparer.Ordinal);
        for (var round = 0; round < 300; round++)
        {
            await notes.ChangeAsync("a", editor => Steps(editor, model, random), Token);
            Assert.Equal(model, await notes.AllAsync("a"));
        }
    }

    private static bool Steps(DocumentEditor<string> editor, SortedDictionary<string, string> model, Random random)
    {
        for (var step = random.Next(8); step >= 0; step--)
        {
            var name = "" + random.Next(6);
            switch (random.Next(12))
            {
                case 0:
                    editor.Delete();
                    model.Clear();
                    break;
                case < 5:
                    Assert.Equal(model.Remove(name), editor.Remove(name));
                    break;
                default:
                    editor.Set(name, model[name] = "" + random.Next());
                    break;
            }

            Assert.Equal(model.Keys, editor.Names);
            Assert.Equal(model.Count > 0, editor.Exists);
            Assert.Equal(model.GetValueOrDefault(name), editor[name]);
        }

        return true;
    }

    private static bool Set(DocumentEditor<string> editor, params (string Name, string Value)[] parts)
    {
        foreach (var (name, value) in parts)
            editor.Set(name, value);
        return true;
    }
}
