using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>A change completes its caller and its readers, including readers that come after its end.</summary>
public sealed class ChangeTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 30_000)]
    public async Task Reader_that_comes_after_the_change_has_failed_gets_its_failure()
    {
        var failure = new ConflictException(new PartitionKey("notes/a"));
        var change = new Change(null!) { Failure = failure };
        Release(change);
        Assert.Same(failure, await Assert.ThrowsAsync<ConflictException>(() => change.Task));
        Assert.Same(failure, await Assert.ThrowsAsync<ConflictException>(() => change.WaitAsync(CancellationToken.None).AsTask()));
    }

    [Fact(Timeout = 30_000)]
    public async Task Reader_that_comes_after_the_change_is_durable_goes_on_at_once()
    {
        var change = new Change(null!);
        Release(change);
        Assert.True(change.Task.IsCompletedSuccessfully);
        await change.WaitAsync(CancellationToken.None);
    }

    [Fact(Timeout = 30_000)]
    public async Task Callers_code_that_blocks_after_its_change_does_not_stop_the_lane()
    {
        await using var documents = await DocumentStore.OpenAsync(new InMemoryStore(), Fixture.Options, cancellationToken: Token);
        var notes = documents.GetCollection<string>("notes");
        await Task.Run(
            async () =>
            {
                await notes.UpdateAsync("a", _ => "1", CancellationToken.None);
                notes.UpdateAsync("b", _ => "1", CancellationToken.None).AsTask().Wait(Token);
            },
            Token);
    }

    // Releases a change as in a client: the lane releases the message, and the thread pool then continues the caller.
    private static void Release(Change change)
    {
        change.CompleteReaders();
        ((IThreadPoolWorkItem)change).Execute();
    }
}
