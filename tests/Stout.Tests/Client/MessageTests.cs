using System.Collections.Concurrent;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Messages, in tests of a whole client with its store.</summary>
public sealed class MessageTests
{
    private const int Patience = 30_000;

    [Fact(Timeout = Patience)]
    public async Task What_was_safe_is_in_the_store()
    {
        var store = new InMemoryStore();
        await using (var first = await Fixture.OpenAsync(store))
            await first.ChangeAsync(await first.FillAsync("a"), "hello");

        await using var second = await Fixture.OpenAsync(store.Connect());
        await second.FillAsync("a");

        Assert.Equal("hello", second.Application.Texts["a"]);
    }

    [Fact(Timeout = Patience)]
    public async Task Callbacks_of_a_key_run_one_after_the_other_and_in_order_even_if_the_first_is_slow()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.FillAsync("a");
        using var gate = new ManualResetEventSlim();
        var began = NewSignal();
        var ended = NewSignal();
        var order = new List<int>();
        var running = 0;

        // The client catches exceptions of callbacks, so the callbacks collect what is wrong.
        var faults = new ConcurrentQueue<string>();
        for (var i = 0; i < 50; i++)
        {
            fixture.Application.Change(handle, $"{i}");
            handle.SendMessageWhenSafe(i, (number, release) =>
            {
                if (!release.IsSafe)
                    faults.Enqueue($"{number} was not safe.");
                if (Interlocked.Increment(ref running) != 1)
                    faults.Enqueue($"{number} ran beside another one.");
                began.TrySetResult();
                if (number == 0)
                    gate.Wait();
                order.Add(number);
                Interlocked.Decrement(ref running);
                if (number == 49)
                    ended.SetResult();
            });
        }

        await began.Task;
        // Messages of a key are released in order. So all 50 messages have been released when a later one is.
        await handle.WhenSafeAsync(TestContext.Current.CancellationToken);
        Assert.Empty(order);
        gate.Set();
        await ended.Task;

        Assert.Empty(faults);
        Assert.Equal(Enumerable.Range(0, 50), order);
    }

    [Fact(Timeout = Patience)]
    public async Task A_message_callback_that_hangs_delays_no_other_key()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        using var gate = new ManualResetEventSlim();
        var hangs = NewSignal();
        (await fixture.FillAsync("a")).SendMessageWhenSafe(0, (_, _) =>
        {
            hangs.SetResult();
            gate.Wait();
        });
        await hangs.Task;

        var other = NewSignal();
        (await fixture.FillAsync("b")).SendMessageWhenSafe(0, (_, _) => other.SetResult());
        await other.Task;
        gate.Set();
    }

    [Fact(Timeout = Patience)]
    public async Task What_a_callback_throws_is_reported_and_the_next_runs_even_if_the_report_throws()
    {
        var reported = new List<Exception>();
        var options = new StoutOptions
        {
            CallbackFailed = error =>
            {
                reported.Add(error);
                throw new InvalidOperationException("the report fails too");
            },
        };
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore(), options);
        var handle = await fixture.FillAsync("a");
        var thrown = new FormatException();
        var next = NewSignal();
        handle.SendMessageWhenSafe(0, (_, _) => throw thrown);
        handle.SendMessageWhenSafe(0, (_, _) => next.SetResult());
        await next.Task;

        Assert.Same(thrown, Assert.Single(reported));
    }

    [Fact(Timeout = Patience)]
    public async Task A_clean_key_keeps_nothing_of_the_messages_that_were_sent()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.FillAsync("a");
        var state = await SendAsync(handle);
        // The runner drops its reference to the message just after the callback, so the test may have to collect garbage more than once.
        while (state.IsAlive)
        {
            await handle.WhenSafeAsync(TestContext.Current.CancellationToken);
            GC.Collect();
        }

        GC.KeepAlive(handle);

        static async Task<WeakReference> SendAsync(KeyHandle handle)
        {
            var delivered = NewSignal();
            var state = new object();
            handle.SendMessageWhenSafe((state, delivered), static (message, _) => message.delivered.SetResult());
            await delivered.Task;
            return new WeakReference(state);
        }
    }

    [Fact(Timeout = Patience)]
    public async Task Cancelling_stops_the_waiting_and_not_the_change()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("a");
        fixture.Application.Change(handle, "kept");
        using var cancellation = new CancellationTokenSource();
        var waiting = handle.WhenSafeAsync(cancellation.Token).AsTask();
        var write = await store.NextWriteAsync();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        write.Commit();
        await handle.WhenSafeAsync(TestContext.Current.CancellationToken);

        Assert.Equal(1, fixture.Client.GetStatistics().KeysWritten);
    }

    [Fact(Timeout = Patience)]
    public async Task A_failure_reaches_callback_and_awaitable_alike()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("a");
        fixture.Application.Change(handle, "lost");
        var told = new TaskCompletionSource<StoutException?>(TaskCreationOptions.RunContinuationsAsynchronously);
        handle.SendMessageWhenSafe(told, static (told, release) => told.SetResult(release.Failure));
        var waiting = handle.WhenSafeAsync(TestContext.Current.CancellationToken).AsTask();
        (await store.NextWriteAsync()).Fail(new StoreException(StoreErrorKind.Full, "no room"));

        var failure = await Assert.ThrowsAsync<NotAppliedException>(() => waiting);
        Assert.Equal(NotAppliedReason.StoreRefused, failure.Reason);
        Assert.Same(failure, await told.Task);
        Assert.Throws<HandleClosedException>(() => handle.MarkDirty());
    }

    [Fact(Timeout = Patience)]
    public async Task Mark_that_takes_its_message_along_is_a_mark_and_a_message_after_it()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("a");
        var told = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        fixture.Application.Texts["a"] = "together";
        handle.MarkDirty(default, told, static (told, release) => told.SetResult(release.IsSafe));
        var first = await store.NextWriteAsync();
        Assert.False(told.Task.IsCompleted);

        var waiting = handle.MarkDirtyAsync(cancellationToken: TestContext.Current.CancellationToken).AsTask();
        first.Commit();
        Assert.True(await told.Task);
        var second = await store.NextWriteAsync();
        Assert.False(waiting.IsCompleted);
        second.Commit();
        await waiting;
        Assert.Equal(2, fixture.Client.GetStatistics().KeysWritten);
    }

    [Fact(Timeout = Patience)]
    public async Task Mark_whose_waiting_is_cancelled_beforehand_is_made_all_the_same()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("a");
        fixture.Application.Texts["a"] = "kept";
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await handle.MarkDirtyAsync(cancellationToken: new CancellationToken(canceled: true)));
        (await store.NextWriteAsync()).Commit();
        await handle.WhenSafeAsync(TestContext.Current.CancellationToken);
        Assert.Equal(1, fixture.Client.GetStatistics().KeysWritten);
    }

    [Fact(Timeout = Patience)]
    public async Task Mark_with_a_message_on_a_closed_handle_is_refused_and_nobody_is_called()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.FillAsync("a");
        Assert.True(await handle.TryCloseAsync());
        var called = 0;
        Assert.Throws<HandleClosedException>(() => handle.MarkDirty(default, 0, (_, _) => Interlocked.Increment(ref called)));
        await Assert.ThrowsAsync<HandleClosedException>(async () => await handle.MarkDirtyAsync(cancellationToken: TestContext.Current.CancellationToken));

        // The end of the client has released every message.
        await fixture.DisposeAsync();
        Assert.Equal(0, called);
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
