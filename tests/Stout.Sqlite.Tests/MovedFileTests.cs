using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>After a file has been deleted or replaced while it is open, the store acknowledges no more changes.</summary>
public sealed class MovedFileTests : IDisposable
{
    private readonly StoreFile _file = new();

    public MovedFileTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "The system does not tell which file a name leads to.");

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData("docs.db", true)]
    [InlineData("docs.db", false)]
    [InlineData("docs.db-wal", true)]
    [InlineData("docs.db-wal", false)]
    [InlineData("docs.db.lock", true)]
    [InlineData("docs.db.lock", false)]
    public async Task Change_after_the_file_has_gone_is_not_acknowledged(string name, bool isReplaced)
    {
        var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one")]);
        Move(name, isReplaced);

        var write = await store.WriteAsync(store.NewWrite("key", stamp), Part("", "two"));
        var again = await store.WriteAsync(store.NewWrite("other", Stamp.Absent), Part("", "two"));
        var read = await store.ReadAsync("key");

        Assert.Equal([WriteOutcomeKind.Refused, WriteOutcomeKind.Refused], [write.Kind, again.Kind]);
        Assert.Equal(ReadOutcomeKind.Refused, read.Kind);
        Assert.All([write.Error, again.Error, read.Error], static error => Assert.Equal(
            (StoreErrorKind.LayoutMismatch, StoreErrorScope.Client), (Assert.IsType<StoreException>(error).Kind, ((StoreException)error).Scope)));
        await store.DisposeAsync();
    }

    /// <summary>The first call after the file has gone is a read: no write has found it out.</summary>
    [Theory]
    [InlineData("docs.db", true, true)]
    [InlineData("docs.db", true, false)]
    [InlineData("docs.db", false, true)]
    [InlineData("docs.db", false, false)]
    [InlineData("docs.db-wal", false, true)]
    [InlineData("docs.db-wal", false, false)]
    [InlineData("docs.db.lock", false, true)]
    public async Task Read_after_the_file_has_gone_is_refused(string name, bool isReplaced, bool hasReadBefore)
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one")]);
        if (hasReadBefore)
            Assert.Equal("=one", Show(await store.ReadAsync("key")));
        Move(name, isReplaced);

        foreach (var key in (string[])["key", "absent"])
        {
            var read = await store.ReadAsync(key);
            Assert.Equal(ReadOutcomeKind.Refused, read.Kind);
            Assert.Equal(StoreErrorKind.LayoutMismatch, Assert.IsType<StoreException>(read.Error).Kind);
        }

        var listing = await Assert.ThrowsAsync<StoreException>(() => store.ListAsync("", 10));
        Assert.Equal((StoreErrorKind.LayoutMismatch, StoreErrorScope.Client), (listing.Kind, listing.Scope));
    }

    [Fact]
    public async Task Change_whose_file_goes_while_it_is_committed_is_unknown()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent);
        _file.AtStep = step =>
        {
            if (step == "before the commit" && File.Exists(_file.Path))
                Move("docs.db", isReplaced: false);
        };

        var write = await store.WriteAsync(store.NewWrite("late", Stamp.Absent), Part("", "two"));

        Assert.Equal(WriteOutcomeKind.Unknown, write.Kind);
        Assert.Equal(StoreErrorKind.Unknown, Assert.IsType<StoreException>(write.Error).Kind);
    }

    [Fact]
    public async Task File_that_is_moved_away_keeps_what_was_acknowledged()
    {
        await using (var store = await _file.OpenAsync())
        {
            await store.PutAsync("key", Stamp.Absent, parts: [Part("", "one")]);
            foreach (var name in (string[])["docs.db", "docs.db-wal", "docs.db-shm"])
                File.Move(_file.Directory[name], _file.Directory["moved " + name]);
            Assert.Equal(WriteOutcomeKind.Refused, (await store.WriteAsync(store.NewWrite("other", Stamp.Absent))).Kind);
        }

        foreach (var name in (string[])["docs.db", "docs.db-wal"])
            File.Move(_file.Directory["moved " + name], _file.Directory[name]);
        await using var again = await _file.OpenAsync();
        Assert.Equal("=one", Show(await again.ReadAsync("key")));
        Assert.Equal("(none)", Show(await again.ReadAsync("other")));
    }

    private void Move(string name, bool isReplaced)
    {
        var copy = _file.Directory["copy"];
        if (isReplaced && !name.EndsWith(".lock", StringComparison.Ordinal))
            File.Copy(_file.Directory[name], copy);
        File.Delete(_file.Directory[name]);
        if (isReplaced)
            File.Move(File.Exists(copy) ? copy : Path.GetTempFileName(), _file.Directory[name]);
    }
}
