using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class TroubleTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Full_database_refuses_what_does_not_fit_and_takes_the_rest_of_the_batch()
    {
        _file.Options.MaxDatabaseBytes = 512 * 1024;
        await using var store = await _file.OpenAsync();
        var batch = new WriteBatch();
        for (var i = 0; i < 10; i++)
        {
            var write = new KeyWrite(new PartitionKey($"key {i}"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp());
            batch.Add(write, [Part("", new byte[i == 3 ? 1_000_000 : 100])]);
        }

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        for (var i = 0; i < 10; i++)
        {
            Assert.Equal(i == 3 ? WriteOutcomeKind.Refused : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
            Assert.Equal(i != 3, (await store.ReadAsync($"key {i}")).Exists);
        }

        Assert.Equal(StoreErrorKind.Full, Assert.IsType<StoreException>(batch.OutcomeOf(3).Error).Kind);
    }

    [Fact]
    public async Task Database_that_fills_up_keeps_all_it_has_acknowledged_and_deletion_makes_room()
    {
        _file.Options.MaxDatabaseBytes = 256 * 1024;
        var store = await _file.OpenAsync();
        var stamps = await FillAsync(store, new byte[6_000]);

        await store.DisposeAsync();
        store = await _file.OpenAsync();
        for (var i = 0; i < stamps.Count; i++)
            Assert.Equal(stamps[i], (await store.ReadAsync($"key {i}")).Version);
        for (var i = 0; i < stamps.Count; i++)
            await store.PutAsync($"key {i}", stamps[i], KeyWriteKind.Delete);
        await _file.RestAsync(store);
        await store.PutAsync("late", Stamp.Absent, parts: [Part("", new byte[6_000])]);
        await store.DisposeAsync();
    }

    [Fact]
    public async Task Full_disk_refuses_with_certainty_and_loses_nothing()
    {
        using var disk = SmallDisk.Mount();
        _file.Path = Path.Combine(disk.Path, "docs.db");
        var store = await _file.OpenAsync();
        var stamps = await FillAsync(store, new byte[20_000]);
        await store.DisposeAsync();

        await using var again = await _file.OpenAsync();
        for (var i = 0; i < stamps.Count; i++)
            Assert.Equal(stamps[i], (await again.ReadAsync($"key {i}")).Version);
    }

    [Theory]
    [InlineData(raw.SQLITE_IOERR_FSYNC)]
    [InlineData(raw.SQLITE_IOERR_WRITE)]
    public async Task Failed_commit_is_unknown_and_nothing_more_is_taken_until_the_store_is_opened_anew(int code)
    {
        var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "old")]);
        _file.AtStep = step =>
        {
            if (step == "before the commit")
                throw new SqliteFailure(code, "planted");
        };

        var outcome = await store.WriteAsync(
            new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, stamp, null, store.NextStamp()), Part("", "new"));

        Assert.Equal(WriteOutcomeKind.Unknown, outcome.Kind);
        _file.AtStep = null;
        var later = await store.WriteAsync(new KeyWrite(new PartitionKey("other"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()));
        Assert.Equal(WriteOutcomeKind.Refused, later.Kind);
        Assert.Contains("opened anew", later.Error!.Message, StringComparison.Ordinal);
        Assert.Equal(ReadOutcomeKind.Refused, (await store.ReadAsync("key")).Kind);
        await store.DisposeAsync();
        store = await _file.OpenAsync();
        Assert.Equal("=old", Show(await store.ReadAsync("key")));
        await store.DisposeAsync();
    }

    [Fact]
    public async Task Disk_that_fails_in_the_midst_of_a_batch_refuses_it_with_certainty()
    {
        await using var store = await _file.OpenAsync();
        _file.AtStep = step =>
        {
            if (step == "before a key")
                throw new SqliteFailure(raw.SQLITE_IOERR_READ, "planted");
        };

        var outcome = await store.WriteAsync(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()));

        Assert.Equal(WriteOutcomeKind.Refused, outcome.Kind);
    }

    [Fact]
    public async Task Error_of_one_key_leaves_those_before_and_after_it_committed()
    {
        await using var store = await _file.OpenAsync();
        var keys = 0;
        _file.AtStep = step =>
        {
            if (step == "before a key" && keys++ == 4)
                throw new SqliteFailure(raw.SQLITE_TOOBIG, "planted");
        };
        var batch = new WriteBatch();
        for (var i = 0; i < 9; i++)
            batch.Add(new KeyWrite(new PartitionKey($"key {i}"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()), [Part("", "x")]);

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        for (var i = 0; i < 9; i++)
        {
            Assert.Equal(i == 4 ? WriteOutcomeKind.Refused : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind);
            Assert.Equal(i != 4, (await store.ReadAsync($"key {i}")).Exists);
        }
    }

    [Fact]
    public async Task Writer_of_another_process_makes_the_store_overloaded_and_readers_go_on()
    {
        _file.Options.BusyTimeout = TimeSpan.Zero;
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
        var write = new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, stamp, null, store.NextStamp());
        using (var other = Connection.OpenForWriting(_file.Path, TimeSpan.Zero))
        {
            other.BeginWriting();

            Assert.Equal(WriteOutcomeKind.Overloaded, (await store.WriteAsync(write, Part("", "y"))).Kind);
            Assert.Equal("=x", Show(await store.ReadAsync("key")));
            Assert.Equal(ReadOutcomeKind.Overloaded, (await store.ClaimAsync("key")).Kind);
            other.Rollback();
        }

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "y"))).Kind);
    }

    [Fact]
    public async Task Calls_after_disposal_are_refused()
    {
        var storage = new SqliteStorage(_file.Options);
        var partition = (await storage.OpenAsync(TestContext.Current.CancellationToken))[0];
        await storage.DisposeAsync();
        await storage.DisposeAsync();

        var refusal = await Assert.ThrowsAsync<StoreException>(
            async () => await partition.WriteAsync(new WriteBatch(), TestContext.Current.CancellationToken));
        Assert.Equal((StoreErrorKind.Refused, "The store has been closed."), (refusal.Kind, refusal.Message));
        var reads = new ReadBatch();
        reads.Add(new KeyRead(new PartitionKey("key")));
        await partition.ReadAsync(reads, TestContext.Current.CancellationToken);
        Assert.Equal(ReadOutcomeKind.Refused, reads.OutcomeOf(0).Kind);
        await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Disposal_finishes_the_batches_that_were_accepted()
    {
        var store = await _file.OpenAsync();
        var writes = Enumerable.Range(0, 50).Select(i => store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("", "x")])).ToList();

        await store.DisposeAsync();

        await Task.WhenAll(writes);
        await using var again = await _file.OpenAsync();
        for (var i = 0; i < 50; i++)
            Assert.True((await again.ReadAsync($"key {i}")).Exists);
    }

    [Fact]
    public async Task Write_that_is_cancelled_before_it_begins_is_certainly_not_applied()
    {
        await using var store = await _file.OpenAsync();
        using var cancellation = new CancellationTokenSource();
        using var going = new ManualResetEventSlim();
        _file.AtStep = step =>
        {
            if (step == "before the commit")
                going.Wait();
        };
        var first = store.PutAsync("first", Stamp.Absent);
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(new PartitionKey("second"), KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()), []);
        var second = store.WriteAsync(0, batch, cancellation.Token);

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second);
        Assert.Equal(WriteOutcomeKind.Unreachable, batch.OutcomeOf(0).Kind);
        going.Set();
        await first;
        Assert.False((await store.ReadAsync("second")).Exists);
    }

    private static async Task<List<Stamp>> FillAsync(StoreClient store, byte[] value)
    {
        var stamps = new List<Stamp>();
        for (; ; )
        {
            var next = store.NextStamp();
            var outcome = await store.WriteAsync(
                new KeyWrite(new PartitionKey($"key {stamps.Count}"), KeyWriteKind.Merge, Stamp.Absent, null, next), Part("", value));
            if (outcome.Kind == WriteOutcomeKind.Committed)
            {
                stamps.Add(next);
                continue;
            }

            Assert.Equal(WriteOutcomeKind.Refused, outcome.Kind);
            Assert.Equal(StoreErrorKind.Full, Assert.IsType<StoreException>(outcome.Error).Kind);
            Assert.True((await store.ReadAsync($"key {stamps.Count}")).Version.IsAbsent);
            return stamps;
        }
    }
}
