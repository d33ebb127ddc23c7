using System.Diagnostics;
using System.Globalization;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.Sqlite.Tests;

/// <summary>
/// Processes that are killed at random points while they write and checkpoint. The next opening raises no alarm, and has what was acknowledged. The variables
/// STOUT_SQLITE_KILLS and STOUT_SQLITE_CRASHES name larger numbers than the defaults.
/// </summary>
public sealed class CrashTests : IDisposable
{
    private static readonly int Kills = Number("STOUT_SQLITE_KILLS", 5);
    private static readonly int Crashes = Number("STOUT_SQLITE_CRASHES", 500);
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Process_killed_at_a_random_point_leaves_files_that_open()
    {
        var path = _directory["docs.db"];
        var random = new Random(1);
        for (var kill = 0; kill < Kills; kill++)
        {
            using var process = new HolderProcess(path, checkpointPages: 16);
            Assert.Equal("open", await process.SaysAsync());
            var last = 0L;
            for (var lines = random.Next(1, 100); lines > 0; lines--)
                last = long.Parse((await process.SaysAsync())!, CultureInfo.InvariantCulture);
            var said = await process.KillAsync();
            if (said.Length > 0)
                last = long.Parse(said, CultureInfo.InvariantCulture);

            await CheckAsync(path, last);
        }
    }

    /// <summary>
    /// Recorded writes of a process, cut off at each point. A killed process leaves all writes before the point, and perhaps a part of the last one. A power cut
    /// leaves any part of the writes since the file's last sync.
    /// </summary>
    [Fact]
    public async Task Any_prefix_of_the_writes_is_a_state_that_opens()
    {
        var recorded = await RecordAsync(lines: 20 + (Crashes / 8));
        var random = new Random(1);
        using var disk = new CrashedDisk();
        var (crashes, acknowledged) = (0, 0L);
        var points = recorded.Count(static call => call.Data is not null);
        foreach (var call in recorded)
        {
            if (call.IsAcknowledgement)
                acknowledged = call.Acknowledged;
            else
                disk.Apply(call);
            if (call.Data is null || acknowledged == 0 || random.Next(points) >= 2 * Crashes)
                continue;
            foreach (var isPowerCut in (bool[])[false, true])
            {
                disk.Save(random, isPowerCut);
                await CheckAsync(disk.Database, acknowledged);
                crashes++;
            }
        }

        Assert.InRange(crashes, Crashes, int.MaxValue);
        TestContext.Current.SendDiagnosticMessage("{0} crashes at {1} writes", crashes, points);
    }

    private static async Task CheckAsync(string path, long acknowledged)
    {
        await using var store = await StoreClient.OpenAsync(new SqliteStorage(path));
        var read = await store.ReadAsync("counter");
        Assert.InRange(BitConverter.ToInt64(read.Parts.Single().Value.Span), acknowledged, acknowledged + 1);
        Assert.Equal(read.Version, (await store.ReadAsync("varied")).Version);
    }

    private async Task<List<TracedCall>> RecordAsync(int lines)
    {
        SystemPrograms.Require("strace");
        var trace = _directory["trace"];
        var start = new ProcessStartInfo("strace") { RedirectStandardOutput = true, RedirectStandardError = true };
        string[] arguments =
        [
            "-f", "-y", "-xx", "-s", "200000", "-o", trace, "-e", "trace=write,pwrite64,ftruncate,fsync,fdatasync,unlink",
            "dotnet", Path.Combine(AppContext.BaseDirectory, "Stout.Sqlite.Holder.dll"), _directory["docs.db"], "16",
        ];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        for (var line = 0; line < lines; line++)
            Assert.NotNull(await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return [.. File.ReadLines(trace).Select(TracedCall.Parse).OfType<TracedCall>()];
    }

    private static int Number(string variable, int fallback) =>
        int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var number) ? number : fallback;
}
