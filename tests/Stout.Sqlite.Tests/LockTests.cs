using System.Globalization;
using Stout.Storage;
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
        Assert.Contains("its lock file is locked", refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("docs", refusal.ToString(), StringComparison.Ordinal);
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
        var shell = new System.Diagnostics.ProcessStartInfo("sqlite3") { RedirectStandardOutput = true };
        foreach (var argument in new[] { "-readonly", _file.Path, "SELECT key, CAST(value AS TEXT) FROM entry" })
            shell.ArgumentList.Add(argument);
        System.Diagnostics.Process? process = null;
        try
        {
            process = System.Diagnostics.Process.Start(shell);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("There is no sqlite3 shell here.");
        }

        using (process)
            Assert.Equal("key|value\n", await process!.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken));
        await store.PutAsync("other", Stamp.Absent);
    }
}
