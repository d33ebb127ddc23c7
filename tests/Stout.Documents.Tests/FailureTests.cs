using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>A change that can't be made durable fails every call that has seen it; the next access sees what the store holds.</summary>
public sealed class FailureTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static WriteOutcome Refused => new(WriteOutcomeKind.Refused, Error: new StoreException(StoreErrorKind.Full, "full"));

    [Fact]
    public async Task Refused_change_fails_its_caller_and_its_readers_and_leaves_what_the_store_holds()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "before");
        using var hold = store.HoldWrites();
        var change = notes.PutAsync("a", "after");
        await hold.Arrived;
        var read = notes.GetAsync("a", Token).AsTask();
        var later = notes.UpdateAsync("a", value => value + "!", Token).AsTask();
        store.Answer = _ => Refused;
        hold.Release();
        foreach (var call in new[] { change, read, later })
        {
            var error = await Assert.ThrowsAsync<NotAppliedException>(() => call);
            Assert.Equal((NotAppliedReason.StoreRefused, new PartitionKey("notes/a")), (error.Reason, error.Key));
        }

        store.Answer = _ => null;
        Assert.Equal("before", await notes.GetAsync("a", Token));
        Assert.Equal("before!", await notes.UpdateAsync("a", value => value + "!", Token));
    }

    [Fact]
    public async Task Object_that_someone_else_has_written_is_a_conflict_and_then_read_anew()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "ours");
        await using (var other = await DocumentStore.OpenAsync(store.Connect(), Fixture.Options, cancellationToken: Token))
            await other.GetCollection<string>("notes").PutAsync("a", "theirs");
        await Assert.ThrowsAsync<ConflictException>(() => notes.PutAsync("a", "ours again"));
        Assert.Equal("theirs", await notes.GetAsync("a", Token));
        await notes.PutAsync("a", "ours at last");
        Assert.Equal("ours at last", await notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Write_without_a_certain_answer_is_unknown_and_then_read_anew()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with
        {
            Stout = Fixture.Options.Stout with { ResolveUnknownFor = TimeSpan.Zero },
        });
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "before");
        store.Written = batch => batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Unknown));
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => notes.PutAsync("a", "after"));
        store.Written = _ => { };
        Assert.Equal("after", await notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Function_whose_object_fails_while_it_runs_is_run_again_on_what_the_store_holds()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "before");
        using var hold = store.HoldWrites();
        var refused = notes.PutAsync("a", "never durable");
        await hold.Arrived;
        using var barrier = new Barrier();
        var seen = new List<string?>();
        var change = Task.Run(
            () => notes.UpdateAsync(
                "a",
                value =>
                {
                    seen.Add(value);
                    if (seen.Count == 1)
                        barrier.Pass();
                    return value + "!";
                },
                Token).AsTask(),
            Token);
        await barrier.Reached;
        store.Answer = _ => Refused;
        hold.Release();
        await Assert.ThrowsAsync<NotAppliedException>(() => refused);
        store.Answer = _ => null;
        barrier.Open();
        Assert.Equal("before!", await change);
        Assert.Equal(["never durable", "before"], seen);
    }

    [Fact]
    public async Task Change_held_back_behind_one_that_fails_is_made_again_on_what_the_store_holds()
    {
        var store = new ControlledStore(Fixture.Limits(valueBytes: 100, bytes: 100));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var refused = notes.PutAsync("a", "x", new string('x', 90));
        await hold.Arrived;
        var heldBack = notes.PutAsync("a", "y", new string('y', 90));
        var refusals = 1;
        store.Answer = _ => Interlocked.Decrement(ref refusals) >= 0 ? Refused : null;
        hold.Release();
        await Assert.ThrowsAsync<NotAppliedException>(() => refused);
        await heldBack;
        Assert.Equal(["y"], await notes.ReadAsync("a", view => view.Names, Token));
    }

    [Fact]
    public async Task Key_that_fails_again_and_again_while_a_function_runs_is_told()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        var runs = 0;
        using var barriers = new BlockingBarriers(3);
        var change = Task.Run(
            () => notes.UpdateAsync(
                "a",
                value =>
                {
                    barriers[runs++].Pass();
                    return "ours";
                },
                Token).AsTask(),
            Token);
        for (var i = 0; i < 3; i++)
        {
            await barriers[i].Reached;
            Assert.True(documents.Client.GetStatistics().OpenKeys > 0);
            await CloseAsync(documents);
            barriers[i].Open();
        }

        var error = await Assert.ThrowsAsync<HandleClosedException>(() => change);
        Assert.Equal(new PartitionKey("notes/a"), error.Key);
        Assert.Equal(3, runs);
        Assert.Empty(store.Writes);

        // Closes the handle although the typed layer still holds it, as the lane does when the retention of a deleted header ends.
        static async Task CloseAsync(DocumentStore documents)
        {
            var handle = await documents.Client.FillAsync(new PartitionKey("notes/a"), cancellationToken: Token);
            Assert.True(await handle.TryCloseAsync());
        }
    }

    [Fact]
    public async Task Fill_that_fails_fails_all_who_wait_for_it_and_the_next_access_tries_again()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldReads();
        var calls = new List<Task> { notes.GetAsync("a", Token).AsTask(), notes.PutAsync("a", "1"), notes.AllAsync("a") };
        await hold.Arrived;
        store.AnswerRead = _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "damaged"));
        hold.Release();
        foreach (var call in calls)
            Assert.IsType<StoreException>((await Assert.ThrowsAsync<FillFailedException>(() => call)).InnerException);
        Assert.Equal(1, store.KeysRead);
        store.AnswerRead = _ => null;
        Assert.Null(await notes.GetAsync("a", Token));
    }

    private sealed class BlockingBarriers(int count) : IDisposable
    {
        private readonly Barrier[] _barriers = [.. Enumerable.Range(0, count).Select(_ => new Barrier())];

        public Barrier this[int index] => _barriers[index];

        public void Dispose()
        {
            foreach (var barrier in _barriers)
                barrier.Dispose();
        }
    }
}
