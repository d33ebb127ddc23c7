using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>The times at which the log is copied into the database file. A copy takes 40 ms on the test's clock.</summary>
public sealed class CheckpointTests : IDisposable
{
    private const string Copy = "before the log is copied";
    private const int MostRows = 2_000;
    private static readonly TimeSpan Copying = TimeSpan.FromMilliseconds(40);
    private readonly StoreFile _file = new();
    private int _copies;

    public CheckpointTests()
    {
        _file.Options.CheckpointPages = 200;
        _file.AtStep = step =>
        {
            if (step != Copy)
                return;
            _file.Time.Advance(Copying);
            Interlocked.Increment(ref _copies);
        };
    }

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task First_time_as_soon_as_nothing_waits()
    {
        await using var store = await _file.OpenAsync();

        // CheckpointPages, 200, are about 35 rows. The copy is overdue after four times as many pages, about 130 rows.
        Assert.InRange(await WriteUntilCopiedAsync(store), 20, 100);
    }

    [Fact]
    public async Task Failing_copy_is_a_failing_job_with_a_pause_after_each_failure()
    {
        var fails = true;
        _file.AtStep = step =>
        {
            if (step != Copy)
                return;
            Interlocked.Increment(ref _copies);
            if (Volatile.Read(ref fails))
                throw new SqliteFailure(SQLitePCL.raw.SQLITE_FULL, "no room for the copy");
        };
        await using var store = await _file.OpenAsync();
        var job = store.BackgroundJobs.Single(static job => job.Name == "checkpoint");
        await WriteUntilCopiedAsync(store);
        await WriteAsync(store, 300);
        Assert.Equal((1, StoreErrorKind.Full), (job.Failures, job.Failure?.Kind));
        Assert.Equal(1, _copies);

        var copied = Next("at rest");
        Volatile.Write(ref fails, false);
        _file.Time.Advance(TimeSpan.FromSeconds(1));
        await copied;
        Assert.Equal((1, null, 2), (job.Failures, job.Failure, _copies));
    }

    [Fact]
    public async Task Then_when_nothing_has_been_written_for_as_long_as_the_last_copy_took()
    {
        await using var store = await _file.OpenAsync();
        var log = await WriteUntilCopiedAsync(store);
        await WriteAsync(store, 2 * log);

        // There are moments without waiting writes, but each one is too short.
        for (var i = 0; i < 3; i++)
        {
            _file.Time.Advance(Copying - TimeSpan.FromTicks(1));
            await WriteAsync(store, 1);
        }

        Assert.Equal(1, _copies);
        var copied = Next(Copy);
        _file.Time.Advance(Copying);
        await copied;
    }

    [Fact]
    public async Task A_timer_that_rings_early_is_set_again()
    {
        await using var store = await _file.OpenAsync();
        var log = await WriteUntilCopiedAsync(store);
        await WriteAsync(store, 2 * log);
        Assert.Equal(1, _copies);
        var rested = Next("at rest");

        _file.Time.Advance(Copying / 2);
        _file.Time.FireEarly();
        await rested;

        Assert.Equal(1, _copies);
        var copied = Next(Copy);
        _file.Time.Advance(Copying / 2);
        await copied;
    }

    [Fact]
    public async Task Without_such_a_moment_when_the_log_is_four_times_as_long()
    {
        await using var store = await _file.OpenAsync();
        var log = await WriteUntilCopiedAsync(store);

        Assert.InRange(await WriteUntilCopiedAsync(store), 3 * log, 6 * log);
    }

    [Fact]
    public async Task What_is_to_be_swept_does_not_wait_for_it()
    {
        await using var store = await _file.OpenAsync();
        var log = await WriteUntilCopiedAsync(store);
        await WriteAsync(store, 2 * log);
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        await _file.RestAsync(store);

        Assert.Equal(1, _copies);
        Assert.Equal(0, _file.Ask("SELECT count(*) FROM part"));
    }

    /// <returns>The number of rows that were written until then.</returns>
    private async Task<int> WriteUntilCopiedAsync(StoreClient store)
    {
        var (before, rows) = (_copies, 0);
        for (; _copies == before && rows < MostRows; rows++)
            await WriteAsync(store, 1);
        return rows;
    }

    // Writes rows, and waits until the writer has done all that it can do at this time.
    private async Task WriteAsync(StoreClient store, int rows)
    {
        for (var i = 0; i < rows; i++)
            await store.PutAsync($"row {Guid.NewGuid()}", Stamp.Absent, parts: [Part("", new byte[3_500])]);
        await _file.RestAsync(store);
    }

    private Task Next(string step)
    {
        var taken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _file.AtStep += now =>
        {
            if (now == step)
                taken.TrySetResult();
        };
        return taken.Task.WaitAsync(TestContext.Current.CancellationToken);
    }
}
