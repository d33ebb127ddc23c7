using System.Text;

namespace Stout.Documents.Tests;

/// <summary>A change beyond the store's limits is refused before it alters anything, or waits until the store can commit it.</summary>
public sealed class LimitsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(ChangeLimit.ValueBytes, 1, 101, 101, 100)]
    [InlineData(ChangeLimit.ChangeSetBytes, 3, 67, 201, 200)]
    [InlineData(ChangeLimit.ChangeSetParts, 11, 1, 11, 10)]
    public async Task Change_over_a_limit_alters_nothing(ChangeLimit kind, int parts, int bytes, long size, long limit)
    {
        var store = new ControlledStore(Fixture.Limits(valueBytes: 100, parts: 10, bytes: 200));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "0", "before");
        var error = await Assert.ThrowsAsync<ChangeTooLargeException>(() => notes.ChangeAsync("a", editor => SetParts(editor, parts, bytes), Token).AsTask());
        Assert.Equal((kind, size, limit), (error.Kind, error.Size, error.Limit));
        Assert.Equal(new PartitionKey("notes/a"), error.Key);
        Assert.Equal("before", Assert.Single(await notes.AllAsync("a")).Value);
        Assert.Single(store.Writes);
    }

    [Theory]
    [InlineData(1, 100)]
    [InlineData(2, 100)]
    [InlineData(10, 20)]
    public async Task Change_at_the_limit_passes(int parts, int bytes)
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(Fixture.Limits(valueBytes: 100, parts: 10, bytes: 200)));
        var notes = documents.GetCollection<string>("notes");
        await notes.ChangeAsync("a", editor => SetParts(editor, parts, bytes), Token);
        Assert.Equal(parts, (await notes.AllAsync("a")).Count);
    }

    [Fact]
    public async Task Changes_that_are_too_large_together_go_one_after_the_other()
    {
        var store = new ControlledStore(Fixture.Limits(valueBytes: 100, parts: 10, bytes: 200));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites("/a");
        var first = notes.ChangeAsync("a", editor => SetParts(editor, 2, 60), Token).AsTask();
        await hold.Arrived;
        var runs = 0;
        var second = notes.ChangeAsync(
            "a",
            editor =>
            {
                runs++;
                editor.Set("x", new string('x', 90));
                return true;
            },
            Token).AsTask();
        var third = notes.PutAsync("a", "y", "after");
        Assert.Equal(1, runs);

        // Readers wait for the postponed changes that they have seen.
        var names = notes.ReadAsync("a", view => view.Names, Token).AsTask();
        await notes.PutAsync("b", "other");
        Assert.False(second.IsCompleted);
        hold.Release();
        await Task.WhenAll(first, second, third);
        Assert.Equal(1, runs);
        Assert.Equal(["p0", "p1", "x", "y"], (await store.PeekAsync("notes/a"))!.Keys.Order());
        Assert.All(store.Writes, write => Assert.True(write.Parts.Values.Sum(value => value!.Length) <= 200));
        Assert.Contains("p0", await names);
    }

    [Fact]
    public async Task Changes_of_the_same_large_part_collapse_instead_of_waiting()
    {
        var store = new ControlledStore(Fixture.Limits(valueBytes: 100, parts: 10, bytes: 150));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites("/a");
        var changes = new List<Task> { notes.PutAsync("a", "x", new string('0', 90)) };
        await hold.Arrived;
        for (var i = 1; i < 10; i++)
            changes.Add(notes.PutAsync("a", "x", new string((char)('0' + i), 90)));
        hold.Release();
        await Task.WhenAll(changes);
        Assert.Equal(2, store.Writes.Count);
        Assert.Equal(new string('9', 90), Encoding.UTF8.GetString(store.Writes[1].Parts["x"]!));
    }

    [Fact]
    public async Task Held_back_change_that_is_no_longer_waited_for_is_made_all_the_same()
    {
        var store = new ControlledStore(Fixture.Limits(valueBytes: 100, parts: 10, bytes: 100));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var cancellation = new CancellationTokenSource();
        using var hold = store.HoldWrites();
        var first = notes.PutAsync("a", "x", new string('x', 90));
        await hold.Arrived;
        var second = notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Set("y", new string('y', 90));
                return true;
            },
            cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second);
        hold.Release();
        await first;
        Assert.Equal(["x", "y"], await notes.ReadAsync("a", view => view.Names, Token));
        Assert.Equal(["x", "y"], (await store.PeekAsync("notes/a"))!.Keys.Order());
    }

    [Fact]
    public async Task Object_with_more_parts_than_a_change_may_have_is_deleted_at_once()
    {
        var store = new ControlledStore(Fixture.Limits(parts: 10));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        for (var i = 0; i < 25; i++)
            await notes.PutAsync("a", "part" + i, "1");
        Assert.True(await notes.DeleteAsync("a", Token));
        Assert.Null(await store.PeekAsync("notes/a"));
        for (var i = 0; i < 25; i++)
            await notes.PutAsync("a", "part" + i, "1");
        await notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Delete();
                editor.Set("new", "2");
                return true;
            },
            Token);
        Assert.Equal(["new"], (await store.PeekAsync("notes/a"))!.Keys);
    }

    private static bool SetParts(DocumentEditor<string> editor, int parts, int bytes)
    {
        for (var i = 0; i < parts; i++)
            editor.Set("p" + i, new string('v', bytes));
        return true;
    }
}
