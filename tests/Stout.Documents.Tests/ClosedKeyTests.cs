using Microsoft.Extensions.Time.Testing;
using Stout.Storage;
using Stout.Tests.Shared;

namespace Stout.Documents.Tests;

/// <summary>Keys that the lane closes by itself, and changes that reach the lane after the failure of their key.</summary>
public sealed class ClosedKeyTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 30_000)]
    public async Task Deleted_object_whose_handle_was_closed_is_read_anew()
    {
        var time = new FakeTimeProvider { AutoAdvanceAmount = TimeSpan.Zero };
        var store = new ControlledStore(Fixture.Limits() with { DeletedHeaderRetention = TimeSpan.FromHours(1) });
        await using var documents = new DocumentStore(store, Fixture.Options.Copy(), time);
        await documents.Client.OpenAsync(Token);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "1");
        await notes.DeleteAsync("a", Token);
        time.Advance(TimeSpan.FromMinutes(31));
        while (documents.GetStatistics().OpenKeys > 0)
            await Task.Yield();

        Assert.False(await notes.ReadAsync("a", view => view.Exists, Token));
        await notes.PutAsync("a", "2");
        Assert.Equal((2, "2"), (store.KeysRead, await notes.GetAsync("a", Token)));
    }

    [Fact(Timeout = 30_000)]
    public async Task Change_that_reaches_the_lane_behind_the_failure_of_its_key_is_made_on_what_is_stored()
    {
        var (law, answer) = (new StandingLaw(), new LateAnswer());
        await using var documents = await DocumentStore.OpenAsync(
            new WrappedStorage(new InMemoryStore(), answer.Around), Fixture.Options with { Stout = Fixture.Options.Stout with { Pacing = () => law } }, cancellationToken: Token);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "0");
        await notes.PutAsync("b", "0");
        answer.RefuseNext = true;
        var refused = notes.PutAsync("a", "1");
        await answer.Sent;

        // The lane stands still while the answer and then the change come in.
        using var standing = new Barrier();
        law.StandAtNextBatch(standing);
        var other = notes.PutAsync("b", "1");
        await standing.Reached;
        answer.Come();
        var behind = notes.UpdateAsync("a", text => text + "!", Token).AsTask();
        standing.Open();

        await Assert.ThrowsAsync<NotAppliedException>(() => refused);
        Assert.Equal("0!", await behind);
        await other;
        Assert.Equal("0!", await notes.GetAsync("a", Token));
    }

    /// <summary>
    /// Refuses the next write after <see cref="RefuseNext"/> is set. The refusal waits for <see cref="Come"/>, and the lane has it when <see cref="Come"/>
    /// returns.
    /// </summary>
    private sealed class LateAnswer
    {
        // Runs its continuations on the test's thread, inside `Come`.
        private readonly TaskCompletionSource _come = new();
        private readonly TaskCompletionSource _sent = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool RefuseNext { get; set; }

        public Task Sent => _sent.Task;

        public void Come() => _come.SetResult();

        public IStorePartition Around(IStorePartition inner) => new Partition(this, inner);

        private sealed class Partition(LateAnswer answer, IStorePartition inner) : IStorePartition
        {
            public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
            {
                if (!answer.RefuseNext)
                {
                    await inner.WriteAsync(batch, cancellationToken);
                    return;
                }

                answer.RefuseNext = false;
                answer._sent.SetResult();
                await answer._come.Task.ConfigureAwait(false);
                batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Refused));
            }

            public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => inner.ReadAsync(batch, cancellationToken);
        }
    }
}
