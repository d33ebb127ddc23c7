using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>No disposal ends before the store is closed, and every caller gets an answer.</summary>
public sealed class DisposalTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Second_disposal_waits_as_the_first_does()
    {
        var store = new ControlledStore();
        var documents = await Fixture.OpenAsync(store);
        using var hold = store.HoldWrites();
        var change = documents.GetCollection<string>("notes").PutAsync("a", "one");
        await hold.Arrived;
        var disposals = new[] { documents.DisposeAsync().AsTask(), documents.DisposeAsync().AsTask() };
        Assert.DoesNotContain(disposals, disposal => disposal.IsCompleted);
        hold.Release();
        await disposals[1];
        Assert.True(store.IsDisposed);
        await change;
        await disposals[0];
        await documents.DisposeAsync();
        await documents.StopAsync(Token);
    }

    [Fact]
    public async Task Calls_behind_a_function_that_waits_for_its_own_object_are_answered()
    {
        var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        using var barrier = new Barrier();
        Task? inner = null;
        var outer = Task.Run(
            () => notes.UpdateAsync(
                "a",
                value =>
                {
                    inner = Task.Run(() => notes.PutAsync("a", "inner"), Token);
                    barrier.Pass();
                    inner.GetAwaiter().GetResult();
                    return value + "outer";
                },
                Token).AsTask(),
            Token);
        await barrier.Reached;
        var calls = new List<Task> { notes.AllAsync("a"), notes.PutAsync("a", "behind"), notes.DeleteAsync("a", Token).AsTask() };
        barrier.Open();
        await documents.DisposeAsync();
        foreach (var call in calls.Append(inner!).Append(outer))
            await Assert.ThrowsAsync<StoppedException>(() => call);
    }

    [Fact]
    public async Task Calls_behind_a_function_that_never_returns_are_answered()
    {
        var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        using var barrier = new Barrier();
        var stuck = Task.Run(() => notes.UpdateAsync("a", value => Pass(value, barrier), Token).AsTask(), Token);
        await barrier.Reached;
        var behind = notes.PutAsync("a", "behind");
        await documents.DisposeAsync();
        await Assert.ThrowsAsync<StoppedException>(() => behind);
        barrier.Open();
        await Assert.ThrowsAsync<StoppedException>(() => stuck);
    }

    [Fact]
    public async Task Function_that_waits_for_its_own_object_goes_on_once_the_object_has_failed()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        using var hold = store.HoldWrites();
        var refused = notes.PutAsync("a", "refused");
        await hold.Arrived;
        using var barrier = new Barrier();
        var runs = 0;
        var outer = Task.Run(
            () => notes.UpdateAsync(
                "a",
                value =>
                {
                    if (Interlocked.Increment(ref runs) > 1)
                        return value + ", outer";
                    var inner = Task.Run(() => notes.PutAsync("a", "inner"), Token);
                    barrier.Pass();
                    inner.GetAwaiter().GetResult();
                    return "made on what has failed";
                },
                Token).AsTask(),
            Token);
        await barrier.Reached;
        var refusals = 1;
        store.Answer = _ => Interlocked.Decrement(ref refusals) >= 0
            ? new WriteOutcome(WriteOutcomeKind.Refused, Error: new StoreException(StoreErrorKind.Full, "full"))
            : null;
        hold.Release();
        await Assert.ThrowsAsync<NotAppliedException>(() => refused);
        barrier.Open();
        Assert.Equal("inner, outer", await outer);
    }

    [Fact]
    public async Task Shutdown_that_cannot_wait_answers_calls_behind_a_function_too()
    {
        var store = new ControlledStore();
        var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites();
        var sent = notes.PutAsync("a", "one");
        await hold.Arrived;
        using var barrier = new Barrier();
        var stuck = Task.Run(() => notes.UpdateAsync("a", value => Pass(value, barrier), Token).AsTask(), Token);
        await barrier.Reached;
        var behind = notes.PutAsync("a", "behind");
        await documents.StopAsync(Fixture.Cancelled);
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => sent);
        await Assert.ThrowsAsync<StoppedException>(() => behind);
        barrier.Open();
        await Assert.ThrowsAsync<StoppedException>(() => stuck);
        hold.Release();
        await documents.DisposeAsync();
    }

    private static string Pass(string? value, Barrier barrier)
    {
        barrier.Pass();
        return value + "!";
    }
}
