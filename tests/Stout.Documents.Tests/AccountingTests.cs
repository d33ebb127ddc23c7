using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>The bytes that the typed layer counts for an object: those of a value that was read, and those of changes that are not durable.</summary>
public sealed class AccountingTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Bytes_of_an_object_that_was_read_count_for_its_limit()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("a", "part", new string('x', 90));
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { Stout = Fixture.Options.Stout with { MaxObjectBytes = 100 } });
        var notes = documents.GetCollection<string>("notes");
        await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.PutAsync("a", "other", new string('x', 20)));
        await notes.PutAsync("a", "part", new string('y', 95));
        await notes.PutAsync("a", "other", "12345");
        await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.PutAsync("a", "third", "1"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Part_that_is_changed_again_takes_no_more_room_beside_what_is_not_durable(bool removes)
    {
        var store = new ControlledStore(Fixture.Limits(parts: 3, bytes: 200));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "p", "0");
        using var hold = store.HoldWrites();
        var first = SetAsync("p", "q");
        await hold.Arrived;
        // The undurable parts and the parts of the second change are three different parts, the limit. So the change is made at once, and the read sees it.
        var second = removes ? notes.ChangeAsync("a", editor => editor.Remove("p") & editor.Remove("q") & Set(editor, "r"), Token).AsTask() : SetAsync("p", "q", "r");
        var names = "";
        var read = notes.ReadAsync("a", view => names = string.Join(' ', view.Names), Token).AsTask();
        Assert.Equal(removes ? "r" : "p q r", names);
        hold.Release();
        await Task.WhenAll(first, second, read);
        Assert.Equal(removes ? "r" : "p q r", string.Join(' ', (await notes.AllAsync("a")).Keys.Order()));

        Task SetAsync(params string[] parts) => notes.ChangeAsync("a", editor => parts.Aggregate(true, (all, part) => all & Set(editor, part)), Token).AsTask();

        static bool Set(DocumentEditor<string> editor, string part)
        {
            editor.Set(part, part + editor.Names.Count);
            return true;
        }
    }

    [Fact]
    public async Task Bytes_of_a_durable_value_that_is_kept_are_dropped()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
            await before.GetCollection<string>("notes").PutAsync("read", "one");
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        Assert.Equal("one", await notes.GetAsync("read", Token));
        using var hold = store.HoldWrites();
        var change = notes.PutAsync("written", "two");
        await hold.Arrived;
        Assert.Equal((0, 3), (await BytesAsync("read"), await BytesAsync("written")));
        hold.Release();
        await change;
        Assert.Equal(0, await BytesAsync("written"));

        async Task<int> BytesAsync(string id)
        {
            var bytes = -1;
            _ = notes.ReadAsync(id, view => bytes = ((DocumentReader<string>)view).Document.Parts.Find("")!.Bytes.Length, Token).AsTask();
            await Task.Yield();
            return bytes;
        }
    }

    [Fact]
    public async Task Object_that_has_failed_leaves_the_cache()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        await notes.PutAsync("b", "one");
        store.Answer = key => key.EndsWith('a') ? new WriteOutcome(WriteOutcomeKind.Refused) : null;
        await Assert.ThrowsAsync<NotAppliedException>(() => notes.PutAsync("a", "two"));
        Assert.Equal(1, documents.Cache.Count);
        Assert.Equal(MemoryCost.OfDocument("b") + MemoryCost.OfPart("", "one", 3), documents.Cache.Bytes);
    }
}
