using System.Diagnostics;
using System.Globalization;
using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class DurabilityTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task No_acknowledgement_leaves_before_the_log_is_synced()
    {
        var trace = _file.Directory["trace"];
        using var process = Trace(trace);
        for (var line = ""; line != "20";)
            line = Assert.IsType<string>(await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        var synced = false;
        var acknowledged = 0;
        foreach (var call in await File.ReadAllLinesAsync(trace, TestContext.Current.CancellationToken))
        {
            if (call.Contains("sync(", StringComparison.Ordinal) && call.Contains("docs.db-wal", StringComparison.Ordinal))
                synced = true;
            if (!IsAcknowledgement(call))
                continue;
            Assert.True(synced, $"Nothing was synced before: {call}");
            synced = false;
            acknowledged++;
        }

        Assert.InRange(acknowledged, 20, int.MaxValue);

        // The program writes each number of a commit as one line.
        static bool IsAcknowledgement(string call) => call.Contains("write(", StringComparison.Ordinal)
            && call.Split('"') is { Length: >= 3 } quoted
            && quoted[1].EndsWith("\\n", StringComparison.Ordinal)
            && int.TryParse(quoted[1][..^2], out _);
    }

    /// <summary>On macOS, fsync leaves data in the drive's cache.</summary>
    [Fact]
    public async Task Connections_sync_the_drive_s_cache_too()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        foreach (var connection in (Connection[])[
            Connection.OpenForWriting(_file.Path, TimeSpan.Zero),
            Connection.OpenForWriting(_file.Path, TimeSpan.Zero, buffersLog: true),
            Connection.OpenForReading(_file.Path, TimeSpan.Zero)])
        {
            using (connection)
                Assert.Equal((1, 1), (connection.Integer("PRAGMA fullfsync"), connection.Integer("PRAGMA checkpoint_fullfsync")));
        }
    }

    [Fact]
    public async Task What_is_read_after_a_crash_was_synced_first()
    {
        // The copy has the log of a killed process. The database file does not contain the log's changes yet.
        var store = await _file.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);
        using var left = _file.Directory.Copy();
        await store.DisposeAsync();
        Assert.NotEqual(0, new FileInfo(left["docs.db-wal"]).Length);

        await using var again = await OpenAsync(new SqliteStorage(left["docs.db"]));

        Assert.Equal(0, new FileInfo(left["docs.db-wal"]).Length);
        Assert.Equal("=value", Show(await again.ReadAsync("key")));
    }

    [Fact]
    public async Task Log_does_not_grow_without_bound_beside_readers()
    {
        _file.Options.CheckpointPages = 16;
        await using var store = await _file.OpenAsync();
        using var reading = new CancellationTokenSource();
        var readers = Enumerable.Range(0, 2).Select(_ => Task.Run(
            async () =>
            {
                while (!reading.IsCancellationRequested)
                    await store.ReadAsync("key");
            },
            TestContext.Current.CancellationToken)).ToArray();
        var stamp = Stamp.Absent;
        for (var i = 0; i < 1_500; i++)
            stamp = await store.PutAsync("key", stamp, parts: [Part("", new byte[4_000]), Part("a", $"{i}")]);

        await reading.CancelAsync();
        await Task.WhenAll(readers);

        // 1,500 writes of at least three pages are 18 MB of log. The log is overwritten from its start after about 16 × 16 pages.
        Assert.InRange(new FileInfo(_file.Path + "-wal").Length, 1, 4_000_000);
    }

    [Fact]
    public async Task Sync_that_really_fails_is_an_unknown_outcome_and_loses_nothing_acknowledged()
    {
        using var process = Trace(_file.Directory["trace"], "-e", "inject=fsync,fdatasync:error=EIO:when=40+");
        var said = (await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.Equal(nameof(StoreErrorKind.Unknown), said[^1]);
        var acknowledged = long.Parse(said[^2], CultureInfo.InvariantCulture);
        await using var store = await _file.OpenAsync();
        var read = await store.ReadAsync("counter");
        Assert.InRange(BitConverter.ToInt64(read.Parts.Single().Value.Span), acknowledged, acknowledged + 1);
    }

    private Process Trace(string output, params string[] more)
    {
        SystemPrograms.Require("strace");
        var start = new ProcessStartInfo("strace") { RedirectStandardOutput = true, RedirectStandardError = true };
        var program = Path.Combine(AppContext.BaseDirectory, "Stout.Sqlite.Holder.dll");
        string[] arguments = ["-f", "-y", "-o", output, "-e", "trace=write,fsync,fdatasync", .. more, "dotnet", program, _file.Path];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        return Process.Start(start)!;
    }
}
