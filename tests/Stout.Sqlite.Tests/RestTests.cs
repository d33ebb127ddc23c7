using System.Collections.Concurrent;
using Stout.Sqlite.Writing;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Sqlite.Tests;

/// <summary>A file without work gives up its threads, and keeps its connections and locks. The next request gets a thread.</summary>
public sealed class RestTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task File_without_work_has_no_writer_and_is_read_and_written_again()
    {
        var rests = new ConcurrentQueue<TaskCompletionSource>();
        _file.Options.RestAfter = TimeSpan.FromMilliseconds(1);
        _file.AtStep = step =>
        {
            if (step == "without a thread" && rests.TryDequeue(out var rest))
                rest.SetResult();
        };
        await using var store = await _file.OpenAsync();
        for (var i = 0; i < 5; i++)
        {
            var rest = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            rests.Enqueue(rest);
            await store.PutAsync($"key {i}", Stamp.Absent);
            await rest.Task;
            Assert.Equal(StoreErrorKind.Locked, (await _file.RefusalAsync()).Kind);
            Assert.True((await store.ReadAsync($"key {i}")).Exists);
        }
    }

    [Fact(Timeout = 60_000)]
    public async Task File_without_a_thread_is_swept_when_a_sweep_is_due()
    {
        const string Deleted = "SELECT count(*) FROM header WHERE deleted_at IS NOT NULL";
        var (rest, swept) = (NewSource(), NewSource());
        var isDeleted = false;
        _file.Options.RestAfter = TimeSpan.FromMilliseconds(1);
        _file.AtStep = step =>
        {
            if (!Volatile.Read(ref isDeleted))
                return;
            if (step == "without a thread")
                rest.TrySetResult();
            if (step == "at rest" && _file.Ask(Deleted) == 0)
                swept.TrySetResult();
        };
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", await store.PutAsync("key", Stamp.Absent), KeyWriteKind.Delete);
        Volatile.Write(ref isDeleted, true);
        await store.PutAsync("other", Stamp.Absent);
        await rest.Task;
        Assert.Equal((1, false), (_file.Ask(Deleted), swept.Task.IsCompleted));

        _file.Time.Advance(_file.Options.Sweeping.Retention);
        while (!swept.Task.IsCompleted)
        {
            TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
            _file.Time.Advance(_file.Options.Sweeping.Interval);
            await Task.Yield();
        }

        static TaskCompletionSource NewSource() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    [Fact]
    public async Task Threads_that_end_at_once_lose_no_request()
    {
        _file.Options.RestAfter = TimeSpan.Zero;
        await using var store = await _file.OpenAsync();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(caller => Task.Run(async () =>
        {
            for (var i = 0; i < 100; i++)
            {
                await store.PutAsync($"key {caller} {i}", Stamp.Absent);
                Assert.True((await store.ReadAsync($"key {caller} {i}")).Exists);
            }
        })));
    }

    [Fact]
    public async Task Queue_has_one_thread_at_a_time_and_ends_with_its_last_job()
    {
        var (threads, done) = (0, 0);
        _file.Options.RestAfter = TimeSpan.Zero;
        JobQueue<int> queue = null!;
        queue = new JobQueue<int>("test", mostThreads: 1, Serve, _file.Options, TimeProvider.System);
        var jobs = Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            for (var i = 0; i < 500; i++)
                await queue.ExecuteAsync(_ => done++, CancellationToken.None);
        })));
        await jobs;
        queue.Post(_ => done++);
        await queue.CloseAsync();

        Assert.Equal((2_001, 0), (done, threads));
        Assert.Equal(StoreErrorKind.Refused, (await Assert.ThrowsAsync<StoreException>(() => queue.ExecuteAsync(static _ => { }, CancellationToken.None))).Kind);

        void Serve()
        {
            Assert.Equal(1, Interlocked.Increment(ref threads));
            while (queue.Take() is { } job)
                job.Execute(0);
            Interlocked.Decrement(ref threads);
        }
    }

    [Fact(Timeout = 60_000)]
    public async Task Request_that_comes_while_a_thread_ends_gets_the_next_thread()
    {
        using var goes = new ManualResetEventSlim();
        var leaves = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _file.Options.RestAfter = TimeSpan.Zero;
        JobQueue<int> queue = null!;
        queue = new JobQueue<int>("test", mostThreads: 1, Serve, _file.Options, _file.Time);
        await queue.ExecuteAsync(static _ => { }, CancellationToken.None);
        await leaves.Task;
        var second = queue.ExecuteAsync(static _ => { }, CancellationToken.None);

        goes.Set();

        await second;
        await queue.CloseAsync();

        void Serve()
        {
            while (queue.Take() is { } job)
                job.Execute(0);
            leaves.TrySetResult();
            goes.Wait();
        }
    }

    [Fact]
    public async Task Queue_whose_thread_failed_says_so_at_its_end()
    {
        var queue = new JobQueue<int>("test", mostThreads: 1, static () => throw new InvalidOperationException("broken"), _file.Options, _file.Time);
        queue.Post(static _ => { });

        await Assert.ThrowsAsync<InvalidOperationException>(queue.CloseAsync);
    }
}
