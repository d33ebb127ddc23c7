using System.Runtime.CompilerServices;
using Stout.Sqlite.Writing;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Sqlite.Tests;

/// <summary>Requests that wait for a thread that hangs in a disk operation.</summary>
public sealed class QueueTests : IDisposable
{
    private readonly StoreFile _file = new();
    private readonly ManualResetEventSlim _disk = new();
    private readonly TaskCompletionSource _hangs = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Dispose()
    {
        _disk.Set();
        _file.Dispose();
        _disk.Dispose();
    }

    [Fact]
    public async Task Write_that_has_begun_is_waited_for_whatever_its_token_says()
    {
        await using var store = await _file.OpenAsync();
        Hang();
        using var cancellation = new CancellationTokenSource();
        var batch = Batch(store, "key");
        var write = store.WriteAsync(0, batch, cancellation.Token);
        await _hangs.Task;

        await cancellation.CancelAsync();

        Assert.False(write.IsCompleted);
        _disk.Set();
        await write;
        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(0).Kind);
    }

    [Fact]
    public async Task Write_that_can_not_begin_within_the_limit_is_certainly_not_applied()
    {
        await using var store = await _file.OpenAsync();
        Hang();
        var first = store.WriteAsync(0, Batch(store, "first"), TestContext.Current.CancellationToken);
        await _hangs.Task;
        var second = store.WriteAsync(0, Batch(store, "second"), TestContext.Current.CancellationToken);

        _file.Time.Advance(_file.Options.QueueTimeout - TimeSpan.FromTicks(1));
        Assert.False(second.IsCompleted);
        _file.Time.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(StoreErrorKind.Overloaded, (await Assert.ThrowsAsync<StoreException>(() => second)).Kind);
        Assert.False(first.IsCompleted);
        _disk.Set();
        await first;
        Assert.True((await store.ReadAsync("first")).Exists);
        Assert.False((await store.ReadAsync("second")).Exists);
    }

    [Fact]
    public async Task Closing_gives_up_on_a_disk_that_does_not_answer_and_keeps_the_lock()
    {
        var storage = new SqliteStorage(_file.Options, _file.Time);
        var store = await StoreClient.OpenAsync(storage);
        Hang();
        var write = store.WriteAsync(0, Batch(store, "key"), TestContext.Current.CancellationToken);
        await _hangs.Task;

        var closing = storage.DisposeAsync().AsTask();
        var again = storage.DisposeAsync().AsTask();
        _file.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(StoreErrorKind.Unknown, (await Assert.ThrowsAsync<StoreException>(() => closing)).Kind);
        Assert.Equal(StoreErrorKind.Unknown, (await Assert.ThrowsAsync<StoreException>(() => again)).Kind);
        Assert.Equal(StoreErrorKind.Locked, (await _file.RefusalAsync()).Kind);
        _disk.Set();
        await write;
    }

    [Fact]
    public async Task Second_disposal_ends_with_the_first()
    {
        var storage = new SqliteStorage(_file.Options, _file.Time);
        var store = await StoreClient.OpenAsync(storage);
        Hang();
        var write = store.WriteAsync(0, Batch(store, "key"), TestContext.Current.CancellationToken);
        await _hangs.Task;

        var closing = storage.DisposeAsync().AsTask();
        var again = storage.DisposeAsync().AsTask();

        Assert.Equal((false, false), (closing.IsCompleted, again.IsCompleted));
        _disk.Set();
        await again;
        await write;
        await (await _file.OpenAsync()).DisposeAsync();
        await closing;
    }

    [Fact]
    public async Task Number_of_waiting_jobs_is_bounded()
    {
        var queue = HangingQueue();
        for (var i = 0; i < 4_096; i++)
            queue.Post(static _ => { });

        var refusal = await Assert.ThrowsAsync<StoreException>(() => queue.ExecuteAsync(static _ => { }, CancellationToken.None));

        Assert.Equal((StoreErrorKind.Overloaded, 4_096), (refusal.Kind, queue.Count));
        queue.TryTake()!.Execute(0);
        Assert.False(queue.ExecuteAsync(static _ => { }, TestContext.Current.CancellationToken).IsCompleted);
    }

    [Fact]
    public async Task Withdrawn_job_keeps_nothing_of_its_caller_alive()
    {
        var queue = HangingQueue();
        var (work, memory) = Enqueue(queue);

        _file.Time.Advance(_file.Options.QueueTimeout);

        await Assert.ThrowsAsync<StoreException>(() => work);
        GC.Collect();
        Assert.Equal((1, false), (queue.Count, memory.IsAlive));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static (Task Work, WeakReference Memory) Enqueue(JobQueue<int> queue)
        {
            var memory = new byte[1_000];
            return (queue.ExecuteAsync(_ => memory[0] = 1, CancellationToken.None), new WeakReference(memory));
        }
    }

    private JobQueue<int> HangingQueue()
    {
        JobQueue<int> queue = null!;
        return queue = new JobQueue<int>("hanging", mostThreads: 1, Serve, _file.Options, _file.Time);

        void Serve()
        {
            _disk.Wait();
            while (queue.Take() is { } job)
                job.Execute(0);
        }
    }

    private static WriteBatch Batch(StoreClient store, string key)
    {
        var batch = new WriteBatch();
        batch.Add(store.NewWrite(key, Stamp.Absent), []);
        return batch;
    }

    private void Hang() => _file.AtStep = step =>
    {
        if (step != "before the commit")
            return;
        _hangs.TrySetResult();
        _disk.Wait();
    };
}
