using Stout.Documents.Tests.Schedules;

namespace Stout.Documents.Tests;

/// <summary>
/// A read is abandoned when all its callers have stopped waiting; the next call reads anew. Runs alone, since the tests measure the heap of the whole process.
/// </summary>
[Collection(nameof(Alone))]
public sealed class AbandonedFillTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 30_000)]
    public async Task Calls_that_are_cancelled_while_admission_is_closed_leave_nothing_behind()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Fixture.Options with { Stout = Fixture.Options.Stout with { MaxDirtyKeys = 1 } });
        var notes = documents.GetCollection<string>("notes");
        using (var hold = store.HoldWrites())
        {
            _ = notes.PutAsync("k0", "0");
            await hold.Arrived;
            await CancelAsync(notes, "warm", 1000);
            var before = GC.GetTotalMemory(forceFullCollection: true);
            await CancelAsync(notes, "key", 20_000);

            // A cancelled call that stays in memory takes more than 1 KiB.
            Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 20_000 * 256);
        }

        Assert.Null(await notes.GetAsync("key 7", Token));
    }

    [Fact(Timeout = 30_000)]
    public async Task A_call_after_the_cancelled_ones_reads_anew()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("other", "x");
        Task<string?> next;
        using (var hold = store.HoldReads("/a"))
        {
            using var patience = new CancellationTokenSource();
            var gone = notes.GetAsync("a", patience.Token).AsTask();
            await hold.Arrived;
            await patience.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
            next = notes.GetAsync("a", Token).AsTask();
        }

        Assert.Null(await next);
        await notes.PutAsync("a", "1");
        Assert.Equal("1", await notes.GetAsync("a", Token));
    }

    [Fact(Timeout = 30_000)]
    public async Task A_fill_goes_on_for_the_callers_that_still_wait()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        Task<string?> patient;
        using (var hold = store.HoldReads("/a"))
        {
            using var patience = new CancellationTokenSource();
            var gone = notes.GetAsync("a", patience.Token).AsTask();
            patient = notes.GetAsync("a", Token).AsTask();
            await hold.Arrived;
            await patience.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        }

        Assert.Null(await patient);
        Assert.Equal(1, store.KeysRead);
    }

    // A caller may stop waiting at the very end of its fill. Then the handle is open, and no object uses it.
    [Fact(Timeout = 30_000)]
    public async Task A_handle_without_an_object_is_closed_and_the_key_is_read_again()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        var left = await documents.Client.OpenAsync(new PartitionKey("notes/a"), Token);
        Assert.IsType<OpenedKey.Absent>(left);
        Assert.Null(await notes.GetAsync("a", Token));
        Assert.True(left.Handle.IsClosed);
        Assert.Equal(2, store.KeysRead);
        await notes.PutAsync("a", "1");
        Assert.Equal("1", await notes.GetAsync("a", Token));
    }

    [Fact(Timeout = 60_000)]
    public async Task Evicted_objects_leave_nothing_behind()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore(), Fixture.Options with { MaxCachedObjects = 10 });
        var notes = documents.GetCollection<string>("notes");
        await ReadAsync(0, 1_000);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        await ReadAsync(1_000, 20_000);

        // An evicted object that stays in memory takes about 700 bytes.
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 20_000 * 200);

        async Task ReadAsync(int first, int count)
        {
            for (var i = first; i < first + count; i++)
                Assert.Null(await notes.GetAsync($"id {i}", Token));
        }
    }

    private static async Task CancelAsync(DocumentCollection<string> notes, string name, int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var patience = new CancellationTokenSource();
            var call = notes.GetAsync($"{name} {i}", patience.Token).AsTask();
            Assert.False(call.IsCompleted);
            await patience.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        }
    }
}
