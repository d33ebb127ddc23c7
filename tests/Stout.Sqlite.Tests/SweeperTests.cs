using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class SweeperTests : IDisposable
{
    private const string Parts = "SELECT count(*) FROM part";
    private const string DeletedHeaders = "SELECT count(*) FROM header WHERE deleted_at IS NOT NULL";
    private const string Garbage = "SELECT count(*) FROM garbage";
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Rows_of_deleted_and_replaced_objects_go_and_those_of_living_ones_stay()
    {
        await using var store = await _file.OpenAsync();
        var many = Enumerable.Range(0, 500).Select(i => Part($"{i}", "x")).ToArray();
        var deleted = await store.PutAsync("deleted", Stamp.Absent, parts: many);
        var replaced = await store.PutAsync("replaced", Stamp.Absent, parts: many);
        await store.PutAsync("untouched", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("deleted", deleted, KeyWriteKind.Delete);
        await store.PutAsync("replaced", replaced, KeyWriteKind.Replace, parts: [Part("a", "new"), Part("b", "new")]);

        await _file.RestAsync(store);

        Assert.Equal((3, 0, 1), (_file.Ask(Parts), _file.Ask(Garbage), _file.Ask(DeletedHeaders)));
        Assert.Equal("a=new b=new", Show(await store.ReadAsync("replaced")));
        Assert.Equal("a=1", Show(await store.ReadAsync("untouched")));
    }

    [Fact]
    public async Task Rows_go_in_small_batches()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. Enumerable.Range(0, 1_000).Select(i => Part($"{i}", "x"))]);
        await store.DisposeAsync();
        using var writer = Native.Connection.OpenForWriting(_file.Path, TimeSpan.Zero);
        var sweeper = new Writing.Sweeper(writer, _file.Time, new StoreSweepOptions { BatchSize = 16 }, static () => { }, null);
        writer.Execute("UPDATE header SET deleted_at = 0; INSERT INTO garbage SELECT key FROM header");
        var left = new List<long>();

        while (sweeper.Step())
            left.Add(_file.Ask(Parts));

        Assert.Equal(0, left[^1]);
        Assert.All(left.Prepend(1_000).Zip(left), pair => Assert.InRange(pair.First - pair.Second, 0, 16));
        Assert.False(stamp.IsAbsent);
    }

    [Fact]
    public async Task Sweep_that_exceeds_its_time_leaves_the_rest_for_later()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [.. Enumerable.Range(0, 20).Select(i => Part($"{i}", "x"))]);
        await store.DisposeAsync();
        using var writer = Native.Connection.OpenForWriting(_file.Path, TimeSpan.Zero);
        var sweeper = new Writing.Sweeper(writer, new SlowTime(), new StoreSweepOptions(), static () => { }, null);
        writer.Execute("UPDATE header SET deleted_at = 0, root = 0; INSERT INTO garbage SELECT key FROM header");
        var left = new List<long>();

        while (sweeper.Step())
            left.Add(_file.Ask(Parts));

        Assert.Equal([16, 12, 8, 4, 0], left.Take(5));
        Assert.Equal((0, 0), (_file.Ask(Garbage), _file.Ask(DeletedHeaders)));
    }

    [Fact]
    public async Task Sweep_that_fails_with_any_error_changes_no_outcome()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        _file.AtStep = static step =>
        {
            if (step == "before the sweep")
                throw new InvalidOperationException("planted");
        };

        for (var i = 0; i < 3; i++)
            stamp = await store.PutAsync("key", stamp, parts: [Part("", $"{i}")]);

        Assert.Equal("=2", Show(await store.ReadAsync("key")));
        Assert.Contains(store.BackgroundJobs, static job => job is { Name: "sweep", Failure.InnerException: InvalidOperationException });
    }

    [Fact]
    public async Task Work_that_a_closed_store_left_is_done_after_it_is_opened_again()
    {
        var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.DisposeAsync();
        using (var connection = Native.Connection.OpenForWriting(_file.Path, TimeSpan.Zero))
            connection.Execute("UPDATE header SET deleted_at = 0, root = 0; INSERT INTO garbage SELECT key FROM header");

        store = await _file.OpenAsync();
        await _file.RestAsync(store);

        Assert.Equal((0, 0, 0), (_file.Ask(Parts), _file.Ask(Garbage), _file.Ask(DeletedHeaders)));
        await store.DisposeAsync();
    }

    [Fact]
    public async Task Deleted_header_goes_when_its_time_is_over_and_not_before()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        _file.Time.Advance(_file.Options.Sweeping.Retention - TimeSpan.FromMilliseconds(1));
        await _file.RestAsync(store);
        Assert.Equal(1, _file.Ask(DeletedHeaders));

        _file.Time.Advance(TimeSpan.FromMilliseconds(1));
        await _file.RestAsync(store);
        Assert.Equal(0, _file.Ask(DeletedHeaders));
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Fact]
    public async Task Header_with_rows_that_no_garbage_names_stays()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        using (var connection = Native.Connection.OpenForWriting(_file.Path, TimeSpan.FromSeconds(5)))
            connection.Execute("INSERT INTO part SELECT key, stamp, x'61', x'62' FROM header WHERE deleted_at IS NOT NULL");

        _file.Time.Advance(_file.Options.Sweeping.Retention * 2);
        await _file.RestAsync(store);

        Assert.Equal(1, _file.Ask(DeletedHeaders));
    }

    [Fact]
    public async Task Time_alone_wakes_the_sweeper()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        await _file.RestAsync(store);
        var gone = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _file.AtStep = step =>
        {
            if (step == "at rest" && _file.Ask(DeletedHeaders) == 0)
                gone.TrySetResult();
        };

        _file.Time.Advance(_file.Options.Sweeping.Retention);

        await gone.Task.WaitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task Claim_of_a_deleted_key_keeps_its_header_for_the_full_time_again()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        _file.Time.Advance(_file.Options.Sweeping.Retention / 2);
        await store.ClaimAsync("key");

        _file.Time.Advance(_file.Options.Sweeping.Retention * 0.75);
        await _file.RestAsync(store);
        Assert.Equal(1, _file.Ask(DeletedHeaders));

        _file.Time.Advance(_file.Options.Sweeping.Retention / 4);
        await _file.RestAsync(store);
        Assert.Equal(0, _file.Ask(DeletedHeaders));
    }

    [Fact]
    public async Task Key_that_came_back_keeps_its_header_and_its_rows()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        stamp = await store.PutAsync("key", stamp, parts: [Part("b", "new")]);

        _file.Time.Advance(_file.Options.Sweeping.Retention * 2);
        await _file.RestAsync(store);

        Assert.Equal((1, 0), (_file.Ask(Parts), _file.Ask(Garbage)));
        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "b=new"), (read.Version, Show(read)));
    }

    [Fact]
    public async Task Wall_clock_that_is_set_forward_ends_no_header_before_its_time()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        _file.Time.WallClockIsAhead = TimeSpan.FromDays(400);
        await _file.RestAsync(store);

        Assert.Equal(1, _file.Ask(DeletedHeaders));
    }

    [Fact]
    public async Task Garbage_whose_removal_was_rolled_back_with_a_batch_is_removed_later()
    {
        _file.Options.BusyTimeout = TimeSpan.Zero;
        await using var store = await _file.OpenAsync();
        await _file.RestAsync(store);
        using (var raw = new RawFile(_file.Path))
        {
            // The write fails, since the file is locked. So the writer looks for garbage again. The planted index makes the removal of the header `dead` fail,
            // after the removal of the garbage.
            raw.Execute("BEGIN IMMEDIATE");
            Assert.Equal(WriteOutcomeKind.Overloaded, (await store.WriteAsync(store.NewWrite("locked", Stamp.Absent))).Kind);
            raw.Execute(
                """
                INSERT INTO header VALUES (CAST('dead' AS BLOB), x'0000000000000000000000000000000000000000000000000000000000000001',
                    x'0000000000000000000000000000000000000000000000000000000000000001', 0, 0, 0, NULL, NULL, NULL);
                INSERT INTO part VALUES (CAST('gone' AS BLOB), zeroblob(32), x'61', x'');
                INSERT INTO garbage VALUES (CAST('gone' AS BLOB));
                CREATE INDEX planted ON header (abs(root));
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX planted ON header (abs(iif(key = x''64656164'', -9223372036854775807 - 1, root)))' WHERE name = 'planted';
                COMMIT
                """);
        }

        _file.AtStep = step =>
        {
            if (step == "after the commit" && _file.Ask("SELECT count(*) FROM sqlite_schema WHERE name = 'planted'") > 0)
                RawFile.Change(_file.Path, "DROP INDEX planted");
        };
        await store.PutAsync("key", Stamp.Absent);
        Assert.Equal(0, _file.Ask("SELECT count(*) FROM sqlite_schema WHERE name = 'planted'"));
        _file.Time.Advance(TimeSpan.FromSeconds(1));
        await _file.RestAsync(store);

        Assert.Equal((0, 0, 0), (_file.Ask(Parts), _file.Ask(Garbage), _file.Ask(DeletedHeaders)));
    }

    /// <summary>A clock on which the removal of each row takes half a second.</summary>
    private sealed class SlowTime : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks += TimeSpan.TicksPerSecond / 2;
    }
}
