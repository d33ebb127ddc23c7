namespace Stout.Documents.Tests;

/// <summary>An editor that a function has kept throws after the function's end, even while another function runs.</summary>
public sealed class KeptEditorTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Editor_that_was_kept_does_not_change_the_object_of_a_later_function(bool withState)
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        await notes.PutAsync("b", "one");
        DocumentEditor<string>? kept = null;
        Exception? error = null;

        // Both functions run on this thread. The update uses the thread's spare editor, which must not be the kept one.
        var first = withState
            ? notes.ChangeAsync("a", 1, (editor, _) => Keep(editor), Token)
            : notes.ChangeAsync("a", Keep, Token);
        var second = notes.UpdateAsync(
            "b",
            text =>
            {
                error = Record.Exception(() => kept!.Set("stray", "x"));
                return text + "!";
            },
            Token);
        await first;
        await second;

        Assert.IsType<InvalidOperationException>(error);
        Assert.Equal(new Dictionary<string, string> { [""] = "one!" }, await notes.AllAsync("b"));

        int Keep(DocumentEditor<string> editor)
        {
            kept = editor;
            editor.Set("", "two");
            return 0;
        }
    }
}
