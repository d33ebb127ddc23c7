using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class BadFileTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Directory_in_the_place_of_the_file_is_refused()
    {
        Directory.CreateDirectory(_file.Path);

        var refusal = await _file.RefusalAsync();

        Assert.Equal((StoreErrorKind.LayoutMismatch, "The database file is a directory."), (refusal.Kind, refusal.Message));
    }

    [Fact]
    public async Task File_in_the_place_of_the_directory_is_refused()
    {
        await File.WriteAllTextAsync(_file.Directory["file"], "x", TestContext.Current.CancellationToken);

        Assert.Equal(StoreErrorKind.Refused, (await _file.RefusalAsync(new SqliteOptions { Path = _file.Directory["file/docs.db"] })).Kind);
    }

    [Fact]
    public async Task Directory_that_can_not_be_written_is_refused()
    {
        Assert.SkipUnless(Directory.Exists("/proc"), "There is no directory here that nobody can write to.");

        Assert.Equal(StoreErrorKind.Refused, (await _file.RefusalAsync(new SqliteOptions { Path = "/proc/docs.db" })).Kind);
    }

    [Fact]
    public async Task Directories_that_are_missing_are_made()
    {
        _file.Path = _file.Directory["a/b/docs.db"];

        await (await _file.OpenAsync()).DisposeAsync();

        Assert.True(File.Exists(_file.Path));
    }

    [Fact]
    public async Task Damaged_pages_are_reported_and_never_read_as_absent_or_short()
    {
        var values = await WriteManyAsync();
        Overwrite(page => page > 12);

        await using var store = await _file.OpenAsync();
        var damaged = 0;
        foreach (var (key, value) in values)
        {
            var read = await store.ReadAsync(key);
            if (read.Kind == ReadOutcomeKind.Refused)
            {
                damaged++;
                Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(read.Error).Kind);
            }
            else
            {
                Assert.Equal(value, Show(read));
            }
        }

        Assert.InRange(damaged, 1, values.Count);
    }

    [Fact]
    public async Task Damaged_file_is_not_written_to()
    {
        var values = await WriteManyAsync();
        Overwrite(page => page > 12);
        await using var store = await _file.OpenAsync();
        var outcomes = new List<WriteOutcome>();
        foreach (var key in values.Keys)
            outcomes.Add(await store.WriteAsync(new KeyWrite(new PartitionKey(key), KeyWriteKind.Merge, store.NextStamp(), null, store.NextStamp())));

        var first = outcomes.FindIndex(outcome => outcome.Kind == WriteOutcomeKind.Refused);

        Assert.InRange(first, 0, outcomes.Count - 1);
        Assert.All(outcomes.Skip(first), outcome => Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(outcome.Error).Kind));
    }

    [Fact]
    public async Task File_whose_catalogue_is_damaged_is_refused_at_once()
    {
        await WriteManyAsync();
        using (var file = File.OpenWrite(_file.Path))
        {
            file.Position = 100; // The catalogue begins after the file's header of 100 bytes.
            file.Write(new byte[1_000]);
        }

        Assert.Equal(StoreErrorKind.Corrupt, (await _file.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Missing_row_of_a_long_object_is_reported()
    {
        await using (var store = await _file.OpenAsync())
            await store.PutAsync("key", Stamp.Absent, parts: [Part("", new byte[10_000]), Part("a", "1")]);
        using (var connection = Native.Connection.OpenForWriting(_file.Path, TimeSpan.Zero))
            connection.Execute("DELETE FROM part WHERE subkey = x''");

        await using var again = await _file.OpenAsync();
        var read = await again.ReadAsync("key");

        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(read.Error).Kind);
    }

    private async Task<Dictionary<string, string>> WriteManyAsync()
    {
        await using var store = await _file.OpenAsync();
        var values = Enumerable.Range(0, 300).ToDictionary(i => $"key {i}", i => "=" + new string((char)('a' + (i % 26)), 900));
        foreach (var (key, value) in values)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", value[1..])]);
        return values;
    }

    private void Overwrite(Func<int, bool> pages)
    {
        using var file = File.Open(_file.Path, FileMode.Open);
        var garbage = new byte[Layout.PageBytes];
        new Random(1).NextBytes(garbage);
        for (var page = 1; page <= file.Length / Layout.PageBytes; page++)
        {
            if (!pages(page))
                continue;
            file.Position = (page - 1) * (long)Layout.PageBytes;
            file.Write(garbage);
        }
    }
}
