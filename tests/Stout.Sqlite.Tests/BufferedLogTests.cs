using System.Globalization;
using Stout.Sqlite.Native;

namespace Stout.Sqlite.Tests;

/// <summary>The buffer in front of the log's file.</summary>
public sealed class BufferedLogTests : IDisposable
{
    private const int RowBytes = 1_500; // So a page holds one row.
    private readonly TemporaryDirectory _directory = new();
    private readonly Connection _writer;

    public BufferedLogTests()
    {
        using (var made = Connection.OpenOrCreate(Path))
            made.Execute($"PRAGMA page_size = {Layout.PageBytes}; PRAGMA journal_mode = WAL; CREATE TABLE row (id INTEGER PRIMARY KEY, value BLOB)");
        _writer = Connection.OpenForWriting(Path, TimeSpan.Zero, buffersLog: true);
        _writer.Execute("PRAGMA synchronous = FULL; PRAGMA cache_size = 10");
    }

    private string Path => _directory["buffered.db"];

    private long LogLength => new FileInfo(Path + "-wal").Length;

    public void Dispose()
    {
        _writer.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Library_takes_the_buffer() => Assert.Equal("stout", BufferedLog.Name);

    [Fact]
    public void Pages_of_a_transaction_are_written_together_before_the_commit_returns()
    {
        _writer.BeginWriting();
        Insert(1, 20); // SQLite's cache holds ten pages. So SQLite writes the other pages before the commit, but only into the buffer.
        var before = LogLength;

        _writer.Commit();

        Assert.InRange(before, 0, Layout.PageBytes);
        Assert.InRange(LogLength, 20 * Layout.PageBytes, 30 * Layout.PageBytes);
        Assert.Equal(20, Count(Path));
    }

    [Fact]
    public void Transaction_larger_than_the_buffer_is_whole()
    {
        _writer.BeginWriting();
        Insert(1, 500);
        _writer.Commit();

        Assert.Equal(500, Count(Path));
    }

    [Fact]
    public void Full_disk_fails_the_commit_whose_pages_were_in_the_buffer()
    {
        using var disk = SmallDisk.Mount();
        var path = System.IO.Path.Combine(disk.Path, "full.db");
        using (var made = Connection.OpenOrCreate(path))
            made.Execute($"PRAGMA page_size = {Layout.PageBytes}; PRAGMA journal_mode = WAL; CREATE TABLE row (id INTEGER PRIMARY KEY, value BLOB)");
        using var writer = Connection.OpenForWriting(path, TimeSpan.Zero, buffersLog: true);
        writer.Execute("PRAGMA synchronous = FULL");
        writer.Execute("INSERT INTO row VALUES (1, randomblob(10))");
        var filler = System.IO.Path.Combine(disk.Path, "filler");
        Assert.Throws<IOException>(() => File.WriteAllBytes(filler, new byte[2 * 1024 * 1024]));

        writer.BeginWriting();
        writer.Execute("INSERT INTO row VALUES (2, randomblob(40000))");
        var failure = Assert.Throws<SqliteFailure>(writer.Commit);
        writer.Rollback();

        Assert.Equal(SQLitePCL.raw.SQLITE_FULL, failure.Primary);
        Assert.Equal(1, Count(path));
        File.Delete(filler);
        writer.Execute("INSERT INTO row VALUES (3, randomblob(40000))");
        Assert.Equal(2, Count(path));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Transactions_that_commit_and_roll_back_end_as_a_dictionary_would(int seed)
    {
        var random = new Random(seed);
        var expected = new Dictionary<int, int>();
        for (var transaction = 0; transaction < 60; transaction++)
        {
            var pending = new Dictionary<int, int>(expected);
            _writer.BeginWriting();
            for (var i = random.Next(40); i > 0; i--)
            {
                var (id, bytes) = (random.Next(100), random.Next(2 * RowBytes));
                Put(id, bytes);
                pending[id] = bytes;

                // The read may need a page that the cache has moved to the log.
                var seen = random.Next(100);
                Assert.Equal(pending.GetValueOrDefault(seen, -1), LengthOf(_writer, seen));
            }

            if (random.Next(3) == 0)
            {
                _writer.Rollback();
                continue;
            }

            _writer.Commit();
            expected = pending;
            if (random.Next(5) == 0)
                _writer.Checkpoint(random.Next(2) == 0 ? SQLitePCL.raw.SQLITE_CHECKPOINT_PASSIVE : SQLitePCL.raw.SQLITE_CHECKPOINT_TRUNCATE);
            using var reader = Connection.OpenForReading(Path, TimeSpan.Zero);
            Assert.Equal(Enumerable.Range(0, 100).Select(id => expected.GetValueOrDefault(id, -1)), Enumerable.Range(0, 100).Select(id => LengthOf(reader, id)));
        }

        using var last = Connection.OpenForReading(Path, TimeSpan.Zero);
        using var check = last.Query("PRAGMA integrity_check");
        Assert.True(check.Statement.Step());
        Assert.Equal("ok", check.Statement.Text(0));
    }

    private static long Count(string path)
    {
        using var reader = Connection.OpenForReading(path, TimeSpan.Zero);
        return reader.Integer("SELECT count(*) FROM row");
    }

    private static int LengthOf(Connection connection, int id) =>
        (int)connection.Integer(string.Create(CultureInfo.InvariantCulture, $"SELECT coalesce((SELECT length(value) FROM row WHERE id = {id}), -1)"));

    private void Insert(int first, int count)
    {
        for (var id = first; id < first + count; id++)
            Put(id, RowBytes);
    }

    private void Put(int id, int bytes) =>
        _writer.Execute(string.Create(CultureInfo.InvariantCulture, $"INSERT OR REPLACE INTO row VALUES ({id}, randomblob({bytes}))"));
}
