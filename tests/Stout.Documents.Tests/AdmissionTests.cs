using Microsoft.Extensions.Time.Testing;

namespace Stout.Documents.Tests;

/// <summary>Callers that wait for admission are admitted whenever there is room, even if earlier callers do not use their room.</summary>
public sealed class AdmissionTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = 30_000)]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_function_that_throws_or_changes_nothing_leaves_its_room_to_the_next(bool throws)
    {
        // The lane's clock stands still. Otherwise room that a caller does not use would be free again after 10 ms, even without the caller's report.
        var store = new ControlledStore();
        await using var documents = new DocumentStore(store, Bounded(dirtyKeys: 1).Copy(), new FakeTimeProvider { AutoAdvanceAmount = TimeSpan.Zero });
        await documents.Client.OpenAsync(Token);
        var notes = documents.GetCollection<string>("notes");
        foreach (var id in (string[])["k1", "k2", "k3"])
            await notes.GetAsync(id, Token);
        Task held;
        List<Task> callers = [];
        using (var hold = store.HoldWrites())
        {
            held = notes.PutAsync("k0", "0");
            await hold.Arrived;
            callers.Add(notes.UpdateAsync("k1", known => throws ? throw new InvalidOperationException("refused") : known, Token).AsTask());
            callers.Add(notes.PutAsync("k2", "2"));
            callers.Add(notes.PutAsync("k3", "3"));
            Assert.All(callers, caller => Assert.False(caller.IsCompleted));
        }

        await held;
        if (throws)
            await Assert.ThrowsAsync<InvalidOperationException>(() => callers[0]);
        await Task.WhenAll(callers[1..]);
    }

    [Fact(Timeout = 30_000)]
    public async Task Bytes_of_a_change_count_before_the_lane_takes_it_in_and_until_it_is_durable()
    {
        // The bytes of a change of at least this size (`Lane.LargeChange`) count as undurable as soon as the change is posted to the lane.
        const int Size = 1024;
        var law = new StandingLaw();
        await using var documents = await Fixture.OpenAsync(
            new ControlledStore(), Fixture.Options with { Stout = Fixture.Options.Stout with { Pacing = () => law, MaxUndurableBytes = 2 * Size } });
        var notes = documents.GetCollection<byte[]>("notes");
        foreach (var id in (string[])["a", "b", "c", "watched"])
            await notes.GetAsync(id, Token);

        using var standing = new Barrier();
        law.StandAtNextBatch(standing);
        var first = notes.SetAsync("a", new byte[Size], Token).AsTask();
        await standing.Reached;
        Assert.True(IsOpen());
        var second = notes.SetAsync("b", new byte[Size], Token).AsTask();
        Assert.False(IsOpen());
        var third = notes.SetAsync("c", new byte[Size], Token).AsTask();
        standing.Open();
        await Task.WhenAll(first, second, third);
        while (!IsOpen())
            await Task.Yield();

        bool IsOpen()
        {
            var isOpen = false;
            Assert.True(notes.ReadAsync("watched", view => isOpen = ((DocumentReader<byte[]>)view).Document.IsAdmissionOpen, Token).AsTask().IsCompleted);
            return isOpen;
        }
    }

    [Fact(Timeout = 60_000)]
    public async Task Many_callers_of_few_cached_objects_and_few_dirty_keys_all_end()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Bounded(dirtyKeys: 5, cachedObjects: 10));
        var notes = documents.GetCollection<string>("notes");
        var next = 0;

        await Task.WhenAll(Enumerable.Range(0, 200).Select(_ => Task.Run(
            async () =>
            {
                for (int i; (i = Interlocked.Increment(ref next)) <= 2000;)
                    await notes.UpdateAsync($"{i * 7919 % 100}", _ => $"{i}", Token);
            },
            Token)));

        Assert.Equal(0, documents.GetStatistics().DirtyKeys);
    }

    private static DocumentStoreOptions Bounded(int dirtyKeys, int cachedObjects = 1000) => Fixture.Options with
    {
        MaxCachedObjects = cachedObjects,
        Stout = Fixture.Options.Stout with { MaxDirtyKeys = dirtyKeys },
    };
}
