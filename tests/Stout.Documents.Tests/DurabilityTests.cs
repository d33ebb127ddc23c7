using System.Text;

namespace Stout.Documents.Tests;

/// <summary>A call returns when all that it has seen and done is durable, and not before.</summary>
public sealed class DurabilityTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Change_is_durable_when_it_returns()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        await documents.GetCollection<string>("notes").PutAsync("a", "one");
        Assert.Equal("one", Encoding.UTF8.GetString((await store.PeekAsync("notes/a"))![""]));
    }

    [Fact]
    public async Task Change_does_not_return_before_its_batch_is_acknowledged()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites("/a");
        var change = notes.PutAsync("a", "one");
        await hold.Arrived;
        await notes.PutAsync("b", "two");
        Assert.False(change.IsCompleted);
        hold.Release();
        await change;
    }

    [Fact(Timeout = 30_000)]
    public async Task Caller_that_blocks_after_its_change_holds_up_no_other_change()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var hold = store.HoldWrites("/a");
        var change = BlockAfterChangeAsync();
        await hold.Arrived;
        hold.Release();
        await change;

        async Task BlockAfterChangeAsync()
        {
            await notes.UpdateAsync("a", _ => "one", Token).ConfigureAwait(false);
            // The store's answer may have run the lane on this thread. If the caller were continued inside the lane, its wait would block the lane.
            using var other = new ManualResetEventSlim();
            _ = notes.PutAsync("b", "two").ContinueWith(_ => other.Set(), Token, TaskContinuationOptions.None, TaskScheduler.Default);
            other.Wait(Token);
        }
    }

    [Fact]
    public async Task Reads_of_an_object_with_undurable_changes_wait_for_them()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "zero");
        using var hold = store.HoldWrites("/a");
        var change = notes.PutAsync("a", "one");
        await hold.Arrived;
        var get = notes.GetAsync("a", Token).AsTask();
        var read = notes.ReadAsync("a", view => view[""], Token).AsTask();
        var nothing = notes.ChangeAsync("a", editor => editor[""], Token).AsTask();
        var deletion = notes.DeleteAsync("never-written", Token).AsTask();
        await notes.PutAsync("b", "two");
        Assert.False(await deletion);
        Assert.False(get.IsCompleted || read.IsCompleted || nothing.IsCompleted);
        hold.Release();
        await change;
        Assert.Equal("one", await get);
        Assert.Equal("one", await read);
        Assert.Equal("one", await nothing);
    }

    [Fact]
    public async Task Reads_of_a_durable_object_in_memory_complete_at_once_without_a_request()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one");
        var requests = store.KeysRead;
        var get = notes.GetAsync("a", Token);
        Assert.True(get.IsCompletedSuccessfully);
        Assert.Equal("one", await get);
        var read = notes.ReadAsync("a", view => view[""], Token);
        Assert.True(read.IsCompletedSuccessfully);
        Assert.Equal("one", await read);
        Assert.Equal(requests, store.KeysRead);
    }

    [Fact]
    public async Task Reading_waits_for_the_last_change_also_after_an_earlier_one_was_released()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var first = store.HoldWrites("/a");
        var earlier = notes.PutAsync("a", "one");
        await first.Arrived;
        var later = notes.PutAsync("a", "two");
        using var second = store.HoldWrites("/a");
        first.Release();
        await earlier;
        await second.Arrived;
        var get = notes.GetAsync("a", Token).AsTask();
        var read = notes.ReadAsync("a", view => view[""], Token).AsTask();
        await notes.PutAsync("b", "other");
        Assert.False(get.IsCompleted || read.IsCompleted || later.IsCompleted);
        second.Release();
        await later;
        Assert.Equal(("two", "two"), (await get, await read));
    }

    [Fact]
    public async Task Function_that_changes_nothing_writes_nothing()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        Assert.Null(await notes.UpdateAsync("a", value => value, Token));
        Assert.False(await notes.DeleteAsync("a", Token));
        Assert.False(await notes.ChangeAsync("a", editor => editor.Remove("x"), Token));
        Assert.Equal(0, await notes.ChangeAsync("a", SetAndRemove, Token));
        Assert.Empty(store.Writes);

        static int SetAndRemove(DocumentEditor<string> editor)
        {
            editor.Set("x", "1");
            editor.Remove("x");
            return editor.Names.Count;
        }
    }

    [Fact]
    public async Task Changes_of_a_key_between_two_batches_cost_one_write()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var hold = store.HoldWrites();
        var changes = new List<Task> { notes.PutAsync("a", "0") };
        await hold.Arrived;
        for (var i = 1; i <= 50; i++)
            changes.Add(notes.UpdateAsync("a", value => value + ".", Token).AsTask());
        hold.Release();
        await Task.WhenAll(changes);
        Assert.Equal(2, store.Writes.Count);
        Assert.Equal("0" + new string('.', 50), Encoding.UTF8.GetString(store.Writes[1].Parts[""]!));
    }

    [Fact]
    public async Task Cancelling_the_waiting_does_not_cancel_the_change()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var cancellation = new CancellationTokenSource();
        using var hold = store.HoldWrites();
        var change = notes.UpdateAsync("a", _ => "one", cancellation.Token).AsTask();
        await hold.Arrived;
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => change);
        hold.Release();
        Assert.Equal("one", await notes.GetAsync("a", Token));
        Assert.Equal("one", Encoding.UTF8.GetString((await store.PeekAsync("notes/a"))![""]));
    }

    [Fact]
    public async Task Cancelling_before_the_function_has_run_prevents_it()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var cancellation = new CancellationTokenSource();
        using var hold = store.HoldReads();
        var change = notes.UpdateAsync("a", _ => "one", cancellation.Token).AsTask();
        await hold.Arrived;
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => change);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => notes.UpdateAsync("a", _ => "two", Fixture.Cancelled).AsTask());
        hold.Release();
        Assert.Null(await notes.GetAsync("a", Token));
        Assert.Empty(store.Writes);
    }

    [Fact]
    public async Task Held_lock_stops_neither_other_keys_nor_the_key_s_own_earlier_change()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        using var barrier = new Barrier();
        using var hold = store.HoldWrites("/a");
        var earlier = notes.PutAsync("a", "one");
        await hold.Arrived;
        var blocked = Task.Run(
            () => notes.UpdateAsync(
                "a",
                value =>
                {
                    barrier.Pass();
                    return value + "two";
                },
                Token).AsTask(),
            Token);
        await barrier.Reached;
        await notes.PutAsync("b", "other");
        hold.Release();
        await earlier;
        Assert.Equal("one", await notes.GetAsync("a", Token));
        Assert.False(blocked.IsCompleted);
        barrier.Open();
        Assert.Equal("onetwo", await blocked);
    }

    [Fact]
    public async Task Functions_of_one_object_run_one_at_a_time()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        var running = 0;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(
            async () =>
            {
                for (var i = 0; i < 200; i++)
                {
                    await notes.UpdateAsync(
                        "a",
                        value =>
                        {
                            Assert.Equal(1, Interlocked.Increment(ref running));
                            Interlocked.Decrement(ref running);
                            return "" + (int.Parse(value ?? "0", System.Globalization.CultureInfo.InvariantCulture) + 1);
                        },
                        Token);
                }
            },
            Token)));
        Assert.Equal("1600", await notes.GetAsync("a", Token));
    }
}
