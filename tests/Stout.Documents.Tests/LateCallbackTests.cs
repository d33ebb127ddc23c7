using Microsoft.Extensions.Time.Testing;

namespace Stout.Documents.Tests;

/// <summary>A callback belongs to one fill. A callback that comes after the fill's time-out changes nothing that a call can see.</summary>
public sealed class LateCallbackTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Callback_that_ends_after_the_next_fill_does_not_reach_its_object()
    {
        await using var late = await LateFill.BeginAsync();
        Assert.Equal(["", "x"], await late.Notes.ReadAsync("a", view => view.Names, Token));
        await late.Held.LetThroughAsync();

        Assert.Equal(["", "x"], await late.Notes.ReadAsync("a", view => view.Names, Token));
        Assert.True(await late.Notes.ChangeAsync("a", editor => editor.Remove("x"), Token));
        Assert.Null(await late.Notes.ReadAsync("a", view => view["x"], Token));
        Assert.Equal("one!", await late.Notes.UpdateAsync("a", value => value + "!", Token));
        Assert.Equal(2, late.Store.KeysRead);
    }

    [Fact]
    public async Task Callback_that_ends_while_the_next_fill_reads_does_not_reach_its_object()
    {
        await using var late = await LateFill.BeginAsync();
        using var hold = late.Store.HoldReads();
        var read = late.Notes.ReadAsync("a", view => view.Names, Token).AsTask();
        await hold.Arrived;
        await late.Held.LetThroughAsync();
        Assert.False(read.IsCompleted);
        hold.Release();

        Assert.Equal(["", "x"], await read);
        Assert.True(await late.Notes.ChangeAsync("a", editor => editor.Remove("x"), Token));
        Assert.Equal([""], await late.Notes.ReadAsync("a", view => view.Names, Token));
    }

    [Fact]
    public async Task Callback_that_ends_before_the_next_fill_begins_does_not_spoil_it()
    {
        await using var late = await LateFill.BeginAsync();
        await late.Held.LetThroughAsync();
        Assert.Equal(["", "x"], await late.Notes.ReadAsync("a", view => view.Names, Token));
        Assert.Equal("one!", await late.Notes.UpdateAsync("a", value => value + "!", Token));
    }

    [Fact]
    public async Task Key_that_was_opened_beside_the_typed_layer_fails_with_a_typed_error_until_it_is_closed()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        var handle = await documents.Client.OpenAsAbsentAsync(new PartitionKey("notes/a"), cancellationToken: Token);
        await Assert.ThrowsAsync<FillFailedException>(() => notes.PutAsync("a", "one"));
        Assert.True(await handle.TryCloseAsync());
        await notes.PutAsync("a", "one");
        await Assert.ThrowsAsync<FillFailedException>(() => documents.Client.FillAsync(new PartitionKey("notes/b"), cancellationToken: Token).AsTask());
        await notes.PutAsync("b", "one");
    }

    /// <summary>A document store on virtual time. The first fill of its object "a" has timed out, and the fill's callback still waits.</summary>
    private sealed class LateFill(ControlledStore store, DocumentStore documents, HeldCallback held) : IAsyncDisposable
    {
        public ControlledStore Store => store;

        public HeldCallback Held => held;

        public DocumentCollection<string> Notes { get; } = documents.GetCollection<string>("notes");

        public static async Task<LateFill> BeginAsync()
        {
            var (store, time) = (new ControlledStore(), new FakeTimeProvider());
            await using (var earlier = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token))
            {
                await earlier.GetCollection<string>("notes").PutAsync("a", "one");
                await earlier.GetCollection<string>("notes").PutAsync("a", "x", "two");
            }

            HeldCallbacks? callbacks = null;
            var documents = new DocumentStore(store, Fixture.Options.Copy(), time, application => callbacks = new HeldCallbacks(application));
            await documents.Client.OpenAsync(Token);
            var held = callbacks!.HoldNextDeserialize();
            var late = new LateFill(store, documents, held);
            var first = late.Notes.GetAsync("a", Token).AsTask();
            await held.Arrived;
            time.Advance(Fixture.Options.Stout.CallbackTimeout);
            var error = await Assert.ThrowsAsync<FillFailedException>(() => first);
            Assert.IsType<TimeoutException>(error.InnerException);
            return late;
        }

        public ValueTask DisposeAsync() => documents.DisposeAsync();
    }
}
