using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>
/// Several processes write the same objects without owners: a call retries on the stored state, and reads see the changes of the other processes.
/// </summary>
public sealed class ConflictRetryTests
{
    private static readonly CollectionOptions<string> Retry = new() { OnConflict = OnConflict.Retry };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Change_runs_again_on_what_another_process_has_written()
    {
        var store = new ControlledStore();
        await using var one = await Replica.OpenAsync(store.Connect());
        await using var two = await Replica.OpenAsync(store);
        await one.Notes.UpdateAsync("a", _ => "1", Token);
        await two.Notes.UpdateAsync("a", text => text + "2", Token);
        Assert.Equal("123", await one.Notes.UpdateAsync("a", text => text + "3", Token));
        Assert.Equal("1234", await two.Notes.UpdateAsync("a", text => text + "4", Token));
    }

    [Fact]
    public async Task Read_sees_what_another_process_has_written()
    {
        var store = new ControlledStore();
        await using var one = await Replica.OpenAsync(store.Connect());
        await using var two = await Replica.OpenAsync(store);
        await one.Notes.UpdateAsync("a", _ => "1", Token);
        Assert.Equal("1", await two.Notes.GetAsync("a", Token));
        await one.Notes.UpdateAsync("a", _ => "2", Token);
        Assert.Equal("2", await two.Notes.GetAsync("a", Token));
        await one.Notes.DeleteAsync("a", Token);
        Assert.False(await two.Notes.ReadAsync("a", view => view.Exists, Token));
    }

    [Fact]
    public async Task Function_that_throws_is_run_again_on_what_is_stored()
    {
        var store = new ControlledStore();
        await using var one = await Replica.OpenAsync(store.Connect());
        await using var two = await Replica.OpenAsync(store);
        await two.Notes.UpdateAsync("account", _ => "", Token);
        await one.Notes.UpdateAsync("account", _ => "money", Token);
        Assert.Equal("", await two.Notes.UpdateAsync("account", text => text == "money" ? "" : throw new InvalidOperationException("no money"), Token));
    }

    [Fact]
    public async Task Read_does_not_rest_on_a_change_that_was_under_way_before_it_began()
    {
        // The store has committed the change of replica `two`, but the answer is late. Meanwhile replica `one` has written the object.
        var store = new ControlledStore();
        await using var one = await Replica.OpenAsync(store.Connect());
        await using var two = await Replica.OpenAsync(store);
        await two.Notes.UpdateAsync("a", _ => "0", Token);
        using var answer = new Barrier();
        store.Written = _ => answer.Pass();
        var late = Task.Run(() => two.Notes.UpdateAsync("a", _ => "1", Token).AsTask(), Token);
        await answer.Reached;
        Assert.Equal("12", await one.Notes.UpdateAsync("a", text => text + "2", Token));
        var read = two.Notes.GetAsync("a", Token).AsTask();
        Assert.False(read.IsCompleted);
        store.Written = _ => { };
        answer.Open();
        Assert.Equal("1", await late);
        Assert.Equal("12", await read);
    }

    [Fact]
    public async Task Unknown_outcome_is_not_retried()
    {
        var store = new ControlledStore();
        var options = Fixture.Options with { Stout = Fixture.Options.Stout with { ResolveUnknownFor = TimeSpan.Zero } };
        await using var documents = await Fixture.OpenAsync(store, options);
        var notes = documents.GetCollection<string>("notes", Retry);
        store.Answer = _ => new WriteOutcome(WriteOutcomeKind.Unknown);
        var runs = 0;
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => notes.UpdateAsync("a", _ => $"{++runs}", Token).AsTask());
        Assert.Equal(1, runs);
    }

    [Fact]
    public async Task Conflicts_have_a_bound()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes", Retry with { MaxConflicts = 3 });
        store.Answer = _ => new WriteOutcome(WriteOutcomeKind.Conflict);
        var runs = 0;
        await Assert.ThrowsAsync<ConflictException>(() => notes.UpdateAsync("a", _ => $"{++runs}", Token).AsTask());
        Assert.Equal(3, runs);
    }

    [Fact]
    public async Task Increments_of_three_replicas_all_count()
    {
        const int each = 200;
        var store = new ControlledStore();
        var replicas = new List<Replica>();
        for (var i = 0; i < 3; i++)
            replicas.Add(await Replica.OpenAsync(i == 0 ? store : store.Connect()));
        var reads = 0;
        await Task.WhenAll(replicas.SelectMany(replica => Enumerable.Range(0, 2).Select(_ => Task.Run(
            async () =>
            {
                var last = 0;
                for (var i = 0; i < each; i++)
                {
                    var made = Number(await replica.Notes.UpdateAsync("counter", text => $"{Number(text) + 1}", Token));
                    var read = Number(await replica.Notes.GetAsync("counter", Token));
                    Assert.True(made > last && read >= made, $"made {made} after {last}, read {read}");
                    last = read;
                    Interlocked.Increment(ref reads);
                }
            },
            Token))));
        Assert.Equal($"{6 * each}", await replicas[0].Notes.GetAsync("counter", Token));
        foreach (var replica in replicas)
            await replica.DisposeAsync();

        static int Number(string? text) => text is null ? 0 : int.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task Call_that_waits_for_room_bears_the_conflicts_of_the_call_before_it()
    {
        // A change set holds one part at most. So while one call's change is under way, the other call waits until that change has ended.
        var store = new ControlledStore(Fixture.Limits(parts: 1));
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes", Retry);
        var conflicts = 30;
        store.Answer = _ => Interlocked.Decrement(ref conflicts) >= 0 ? new WriteOutcome(WriteOutcomeKind.Conflict) : null;
        await Task.WhenAll(notes.PutAsync("a", "p", "1"), notes.PutAsync("a", "q", "2"));
        Assert.Equal(new Dictionary<string, string> { ["p"] = "1", ["q"] = "2" }, await notes.AllAsync("a"));
    }

    [Fact]
    public async Task Options_are_checked()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        Assert.Throws<InvalidOptionException>(() => documents.GetCollection<string>("a", new CollectionOptions<string> { MaxConflicts = 0 }));
        Assert.Throws<InvalidOptionException>(() => documents.GetCollection<string>("a", new CollectionOptions<string> { OnConflict = (OnConflict)7 }));
        documents.GetCollection<string>("a", Retry);
        Assert.Same(documents.GetCollection<string>("a", Retry), documents.GetCollection<string>("a", Retry with { }));
        Assert.Throws<InvalidCollectionException>(() => documents.GetCollection<string>("a"));
    }

    /// <summary>One of several processes that share a store.</summary>
    private sealed class Replica(DocumentStore documents) : IAsyncDisposable
    {
        public DocumentCollection<string> Notes { get; } = documents.GetCollection<string>("notes", Retry);

        public static async Task<Replica> OpenAsync(IStorageProxy store) => new(await Fixture.OpenAsync(store));

        public ValueTask DisposeAsync() => documents.DisposeAsync();
    }
}
