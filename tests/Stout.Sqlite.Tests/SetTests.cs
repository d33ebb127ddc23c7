using Stout.Sqlite.Native;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class SetTests : IDisposable
{
    private readonly StoreFile _file = new();

    public SetTests() => _file.Options.Partitions = 3;

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Set_has_a_file_for_each_partition_and_keys_are_in_the_file_of_their_slot()
    {
        await using (var store = await _file.OpenAsync())
        {
            for (var i = 0; i < 100; i++)
                await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("", "x")]);
        }

        for (var partition = 0; partition < 3; partition++)
        {
            using var connection = Connection.OpenForReading(_file.Directory[$"docs.{partition}.db"], TimeSpan.Zero);
            var expected = Enumerable.Range(0, 100).Count(i => Slots.PartitionOf(Slots.Of(new PartitionKey($"key {i}")), 3) == partition);
            Assert.Equal(expected, connection.Integer("SELECT count(*) FROM header"));
            var identity = $"partition = {partition} AND partitions = 3 AND hash = '{Slots.HashName}'";
            Assert.Equal(1, connection.Integer("SELECT count(*) FROM identity WHERE " + identity));
        }
    }

    [Fact]
    public async Task Missing_files_are_not_made_if_the_options_say_so()
    {
        _file.Options = _file.Options with { CreateMissing = false };

        await IsRefusedAsync("The database file of partition 0 is missing, and the options say that it is not to be made");

        Assert.Empty(Directory.GetFileSystemEntries(_file.Directory.Path));
        await (await OpenAsync(new SqliteStorage(_file.Options with { CreateMissing = true }))).DisposeAsync();
        await (await _file.OpenAsync()).DisposeAsync();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Missing_file_of_a_set_is_refused(int missing)
    {
        await (await _file.OpenAsync()).DisposeAsync();
        File.Delete(_file.Directory[$"docs.{missing}.db"]);

        await IsRefusedAsync($"The database file of partition {missing} is missing");

        Assert.False(File.Exists(_file.Directory[$"docs.{missing}.db"]));
    }

    [Fact]
    public async Task File_of_another_set_is_refused()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        using var other = new StoreFile();
        other.Options.Partitions = 3;
        await (await other.OpenAsync()).DisposeAsync();
        File.Copy(other.Directory["docs.1.db"], _file.Directory["docs.1.db"], overwrite: true);

        await IsRefusedAsync("The database file of partition 1 belongs to another set");
    }

    [Fact]
    public async Task Files_that_have_changed_places_are_refused()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        File.Copy(_file.Directory["docs.2.db"], _file.Directory["docs.1.db"], overwrite: true);

        await IsRefusedAsync("The database file of partition 1 is partition 2");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public async Task Another_number_of_partitions_is_refused(int partitions)
    {
        await (await _file.OpenAsync()).DisposeAsync();
        _file.Options.Partitions = partitions;

        await IsRefusedAsync("partitions");
    }

    [Fact]
    public async Task Single_file_is_refused_where_several_are_expected()
    {
        _file.Options.Partitions = 1;
        await (await _file.OpenAsync()).DisposeAsync();
        _file.Options.Partitions = 2;

        await IsRefusedAsync("A file of the same name belongs to a set with another number of partitions");
    }

    [Fact]
    public async Task Another_version_of_the_layout_is_refused()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        Change("docs.2.db", "PRAGMA user_version = 1; UPDATE identity SET version = 1");

        await IsRefusedAsync("The database file of partition 2 has version 1 of the layout");
    }

    [Theory]
    [InlineData("CREATE TRIGGER planted AFTER UPDATE ON header BEGIN DELETE FROM part; END")]
    [InlineData("CREATE VIRTUAL TABLE planted USING fts5(text)")]
    public async Task File_with_code_in_it_is_refused(string sql)
    {
        await (await _file.OpenAsync()).DisposeAsync();
        Change("docs.1.db", sql);

        await IsRefusedAsync("The database file of partition 1 has a schema that this library does not make");
    }

    [Fact]
    public async Task Another_hash_is_refused()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        Change("docs.0.db", "UPDATE identity SET hash = 'crc32'");

        await IsRefusedAsync("The database file of partition 0 spreads its keys by crc32");
    }

    [Fact]
    public async Task Database_of_someone_else_is_refused_and_left_as_it_is()
    {
        using (var connection = Connection.OpenOrCreate(_file.Directory["docs.1.db"]))
            connection.Execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
        var before = await File.ReadAllBytesAsync(_file.Directory["docs.1.db"], TestContext.Current.CancellationToken);

        await IsRefusedAsync("The database file of partition 1 is an SQLite database that this library has not made");

        Assert.Equal(before, await File.ReadAllBytesAsync(_file.Directory["docs.1.db"], TestContext.Current.CancellationToken));
        Assert.False(File.Exists(_file.Directory["docs.0.db"]));
    }

    [Theory]
    [InlineData("", "is empty")]
    [InlineData("A text, and a long one, so that nobody takes it for the head of a database: all is well here.", "is not an SQLite database")]
    public async Task File_that_is_no_database_is_refused(string content, string what)
    {
        await File.WriteAllTextAsync(_file.Directory["docs.0.db"], content, TestContext.Current.CancellationToken);

        await IsRefusedAsync("The database file of partition 0 " + what);
    }

    [Fact]
    public async Task Symbolic_link_is_refused_since_its_lock_would_be_elsewhere()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        File.Move(_file.Directory["docs.0.db"], _file.Directory["elsewhere.db"]);
        File.CreateSymbolicLink(_file.Directory["docs.0.db"], _file.Directory["elsewhere.db"]);

        await IsRefusedAsync("The database file of partition 0 is a symbolic link");
    }

    [Fact]
    public async Task Log_without_its_database_is_refused()
    {
        await File.WriteAllTextAsync(_file.Directory["docs.0.db-wal"], "frames", TestContext.Current.CancellationToken);

        await IsRefusedAsync("The database file of partition 0 is missing, and its log");
    }

    [Fact]
    public async Task Crash_at_any_step_of_creation_leaves_what_the_next_start_finishes()
    {
        var crashes = 0;
        for (; ; crashes++)
        {
            using var file = new StoreFile();
            file.Options.Partitions = 3;
            var steps = 0;
            TemporaryDirectory? left = null;
            file.AtStep = step =>
            {
                if (!StoreFile.IsPause(step) && steps++ == crashes)
                    left = file.Directory.Copy();
            };
            await (await file.OpenAsync()).DisposeAsync();
            if (left is null)
                break; // No step of the creation was left.
            using (left)
            {
                var options = file.Options with { Path = left["docs.db"], OnStep = null };
                await using (var store = await OpenAsync(new SqliteStorage(options)))
                    await store.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
                await using var again = await OpenAsync(new SqliteStorage(options));
                Assert.Equal("=x", Show(await again.ReadAsync("key")));
            }
        }

        Assert.InRange(crashes, 3 * 8, int.MaxValue);
    }

    [Fact]
    public async Task Failure_at_any_step_of_creation_leaves_what_the_next_try_finishes()
    {
        for (var failures = 0; ; failures++)
        {
            using var file = new StoreFile();
            file.Options.Partitions = 2;
            var steps = 0;
            file.AtStep = step =>
            {
                if (!StoreFile.IsPause(step) && steps++ == failures)
                    throw new SqliteFailure(SQLitePCL.raw.SQLITE_IOERR, "planted");
            };
            await using (var storage = new SqliteStorage(file.Options, file.Time))
            {
                try
                {
                    await storage.OpenAsync(TestContext.Current.CancellationToken);
                    break; // No step of the creation was left to fail.
                }
                catch (StoreException error)
                {
                    Assert.Equal(StoreErrorKind.Refused, error.Kind);
                }
            }

            await using var store = await OpenAsync(new SqliteStorage(file.Options with { OnStep = null }));
            await store.PutAsync("key", Stamp.Absent);
        }
    }

    private async Task IsRefusedAsync(string what)
    {
        var refusal = await _file.RefusalAsync();
        Assert.Equal(StoreErrorKind.LayoutMismatch, refusal.Kind);
        Assert.Contains(what, refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("docs", refusal.Message, StringComparison.Ordinal);
    }

    private void Change(string file, string sql)
    {
        using var connection = Connection.OpenForWriting(_file.Directory[file], TimeSpan.Zero);
        connection.Execute(sql);
    }
}
