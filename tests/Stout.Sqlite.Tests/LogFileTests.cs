using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>The length of the log's file during a long read, and after it.</summary>
public sealed class LogFileTests : IDisposable
{
    private const string Cut = "before the log is cut";
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(5);
    private readonly StoreFile _file = new();
    private int _cuts;

    public LogFileTests()
    {
        _file.Options.CheckpointPages = 100;
        _file.AtStep = step =>
        {
            if (step == Cut)
                Interlocked.Increment(ref _cuts);
        };
    }

    private long Limit => Writing.Checkpointer.LogFileBytes(_file.Options);

    private long LogLength => new FileInfo(_file.Path + "-wal").Length;

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Log_that_grew_beside_a_reader_is_cut_back_without_another_write()
    {
        await using var store = await _file.OpenAsync();
        using (Reader())
        {
            await WriteAsync(store, 2 * Limit);
            Assert.True(LogLength > Limit);
        }

        var cut = RestAfterCut();
        _file.Time.Advance(RetryAfter);
        await cut;

        Assert.Equal(0, LogLength);
    }

    [Fact]
    public async Task Log_that_grew_beside_a_reader_is_cut_back_under_load()
    {
        await using var store = await _file.OpenAsync();
        using (Reader())
            await WriteAsync(store, 2 * Limit);

        // No time passes, so no timer fires. The next copies are due by the amount of writes.
        await WriteAsync(store, Limit);

        Assert.InRange(LogLength, 0, Limit);
    }

    [Fact]
    public async Task Reader_that_stays_is_waited_for_once_in_five_seconds()
    {
        await using var store = await _file.OpenAsync();
        using var old = Reader();
        await WriteAsync(store, 2 * Limit);

        // The reader now sees all changes, so the whole log can be copied. But the cut of the log must wait for the reader's end.
        old.Rollback();
        old.BeginReading();
        old.Integer("SELECT count(*) FROM header");
        _file.Time.Advance(RetryAfter);
        await WriteAsync(store, 1);
        old.Rollback();
        old.BeginReading();
        old.Integer("SELECT count(*) FROM header");
        _cuts = 0;
        _file.Time.Advance(RetryAfter);
        await WriteAsync(store, Limit / 2);
        var cuts = _cuts;
        await WriteAsync(store, Limit / 2);

        Assert.InRange(cuts, 0, 1);
        Assert.Equal(cuts, _cuts);
    }

    [Fact]
    public async Task Large_reads_are_several_transactions()
    {
        await using var store = await _file.OpenAsync();
        string[] many = [.. Enumerable.Range(0, 600).Select(i => $"small {i}")];
        string[] large = [.. Enumerable.Range(0, 9).Select(i => $"large {i}")];
        foreach (var key in many)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", "x")]);
        foreach (var key in large)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", new byte[2 << 20])]);

        Assert.Equal(3, await TransactionsAsync(many));
        Assert.Equal(5, await TransactionsAsync(large));

        async Task<int> TransactionsAsync(string[] keys)
        {
            var count = 0;
            _file.AtStep = step => count += step == "before a transaction that reads" ? 1 : 0;
            Assert.All(await store.ReadAsync(keys), read => Assert.True(read.Exists));
            return count;
        }
    }

    [Fact]
    public async Task Read_ends_at_its_bound_of_bytes_and_reports_the_other_keys_as_too_many()
    {
        await using var store = await _file.OpenAsync();
        string[] keys = [.. Enumerable.Range(0, 4).Select(i => $"key {i}")];
        foreach (var key in keys)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", new byte[30 << 20])]);

        var reads = await store.ReadAsync(keys);

        Assert.Equal(
            [ReadOutcomeKind.Read, ReadOutcomeKind.Read, ReadOutcomeKind.Read, ReadOutcomeKind.LimitExceeded],
            reads.Select(read => read.Kind));
        Assert.Equal(30 << 20, (await store.ReadAsync(keys[3])).Parts[0].Value.Length);
    }

    private Connection Reader()
    {
        var reader = Connection.OpenForReading(_file.Path, TimeSpan.Zero);
        reader.BeginReading();
        reader.Integer("SELECT count(*) FROM header");
        return reader;
    }

    private async Task WriteAsync(StoreClient store, long bytes)
    {
        for (var left = bytes; left > 0; left -= 100_000)
            await store.PutAsync($"row {Guid.NewGuid()}", Stamp.Absent, parts: [Part("", new byte[100_000])]);
        await _file.RestAsync(store);
    }

    private Task RestAfterCut()
    {
        var rested = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var cut = false;
        _file.AtStep = step =>
        {
            cut |= step == Cut;
            if (cut && step == "at rest")
                rested.TrySetResult();
        };
        return rested.Task.WaitAsync(TestContext.Current.CancellationToken);
    }
}
