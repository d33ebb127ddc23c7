namespace Stout.Documents.Tests;

/// <summary>A function that calls its own object would wait for itself: the call throws.</summary>
public sealed class OwnObjectTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Function_that_calls_its_own_object_gets_an_error()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        var errors = await notes.ChangeAsync(
            "a",
            _ => new[]
            {
                Record.Exception(() => notes.GetAsync("a", Token).AsTask().GetAwaiter().GetResult()),
                Record.Exception(() => notes.UpdateAsync("a", _ => "two", Token).AsTask().GetAwaiter().GetResult()),
                Record.Exception(() => notes.ReadAsync("a", _ => 1, Token).AsTask().GetAwaiter().GetResult()),
            },
            Token);
        Assert.All(errors, error => Assert.IsType<InvalidOperationException>(error));
        Assert.IsType<InvalidOperationException>(
            await notes.ReadAsync("a", _ => Record.Exception(() => notes.GetAsync("a", Token).AsTask().GetAwaiter().GetResult()), Token));
        Assert.Equal("one", await notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Function_may_call_other_objects_and_calls_after_it_go_on()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("b", "other");
        Assert.Equal("other", await notes.ReadAsync("a", _ => notes.GetAsync("b", Token).AsTask().GetAwaiter().GetResult(), Token));
        await notes.PutAsync("a", "one");
        Assert.Equal(["one", "other", null], await notes.GetManyAsync(["a", "b", "none"], Token));
    }

    [Fact]
    public async Task Functions_get_a_state()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        Assert.Equal("x", await notes.UpdateAsync("a", "x", static (text, state) => text + state, Token));
        Assert.Equal("xy", await notes.ReadAsync("a", "y", static (view, state) => view[""] + state, Token));
        Assert.Equal(1, await notes.ChangeAsync("a", "z", static (editor, state) => { editor.Set("part", state); return 1; }, Token));
        Assert.Equal("z", await notes.ReadAsync("a", view => view["part"], Token));
    }
}
