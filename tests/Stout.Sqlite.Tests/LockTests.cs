using System.Globalization;
using Stout.Storage;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class LockTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Second_proxy_of_this_process_is_kept_out_until_the_first_is_closed()
    {
        var store = await _file.OpenAsync();

        var refusal = await _file.RefusalAsync();

        Assert.Equal(StoreErrorKind.Locked, refusal.Kind);
        Assert.Contains($"its lock file {_file.Path}.lock is locked", refusal.Message, StringComparison.Ordinal);
        await store.DisposeAsync();
        await (await _file.OpenAsync()).DisposeAsync();
    }

    [Fact]
    public async Task Second_proxy_with_another_number_of_partitions_is_kept_out_too()
    {
        await using var store = await _file.OpenAsync();

        Assert.Equal(StoreErrorKind.Locked, (await _file.RefusalAsync(_file.Options with { Partitions = 2 })).Kind);
    }

    [Fact]
    public async Task Second_process_is_kept_out()
    {
        await using var store = await _file.OpenAsync();
        using var second = new HolderProcess(_file.Path);

        Assert.Equal("Locked", await second.SaysAsync());
    }

    [Fact]
    public async Task Killed_process_leaves_no_lock_and_all_that_was_acknowledged()
    {
        for (var round = 0; round < 3; round++)
        {
            using var first = new HolderProcess(_file.Path = _file.Directory[$"round{round}.db"]);
            Assert.Equal("open", await first.SaysAsync());
            Assert.Equal(StoreErrorKind.Locked, (await _file.RefusalAsync()).Kind);
            Assert.Equal("1", await first.SaysAsync());

            var acknowledged = long.Parse(await first.KillAsync() is { Length: > 0 } last ? last : "1", CultureInfo.InvariantCulture);

            await using var store = await _file.OpenAsync();
            var read = await store.ReadAsync("counter");
            Assert.InRange(BitConverter.ToInt64(read.Parts.Single().Value.Span), acknowledged, acknowledged + 1);
        }
    }

    [Fact]
    public async Task Another_process_can_read_beside_the_store()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);

        Assert.Equal("key|value\n", await ShellAsync("-readonly", _file.Path, "SELECT key, CAST(value AS TEXT) FROM entry"));

        await store.PutAsync("other", Stamp.Absent);
    }

    /// <summary>SQLite's own locks end when any code of the process closes the file.</summary>
    [Fact]
    public async Task Another_program_leaves_the_log_in_place_after_this_process_has_copied_the_files()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has locks that last here.");
        var store = await _file.OpenAsync();
        await store.PutAsync("before", Stamp.Absent, parts: [Part("", "1")]);
        Assert.Equal("=1", Show(await store.ReadAsync("before")));
        using (_file.Directory.Copy())
        {
        }

        Assert.Equal("", await ShellAsync(_file.Path, "INSERT INTO garbage VALUES (x'00')"));

        Assert.True(File.Exists(_file.Path + "-wal"));
        var stamp = await store.PutAsync("after", Stamp.Absent, parts: [Part("", "2")]);
        Assert.Equal(["=1", "=2"], (await store.ReadAsync(["before", "after"])).Select(Show));
        Assert.Equal("2\n", await ShellAsync("-readonly", _file.Path, "SELECT count(*) FROM entry"));
        await store.PutAsync("after", stamp, parts: [Part("", "3")]);
        await store.DisposeAsync();

        // The last connection has checkpointed and deleted the log, since no lock was left.
        Assert.False(File.Exists(_file.Path + "-wal"));
        await using var again = await _file.OpenAsync();
        Assert.Equal(["=1", "=3"], (await again.ReadAsync(["before", "after"])).Select(Show));
    }

    private static async Task<string> ShellAsync(params string[] arguments)
    {
        SystemPrograms.Require("sqlite3");
        using var process = System.Diagnostics.Process.Start(new System.Diagnostics.ProcessStartInfo("sqlite3", arguments) { RedirectStandardOutput = true })!;
        return await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
    }
}
