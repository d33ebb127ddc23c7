using Stout.Pacing;
using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Durable writes of 256 bytes per second on SQLite, always with WAL and synchronous=FULL. All variants draw the same keys in the same way, since the cost
/// of a transaction depends more on its pages than on its rows. Each variant has a file of its own.
/// </summary>
internal static class SqliteWrites
{
    private const int Writers = 64;
    private const int Keys = 4 * Writers;
    private const int ValueBytes = 256;

    public static async Task RunAsync(Comparison comparison)
    {
        using var folder = new TemporaryFolder();
        using var batched = new DirectSqlite(folder.File("rows64.db"), Keys, ValueBytes);
        using var single = new DirectSqlite(folder.File("rows1.db"), Keys, ValueBytes);
        await using var window1 = await OpenAsync(folder.File("window1.db"), Workload.NoBatching(1));
        await using var window2 = await OpenAsync(folder.File("window2.db"), Workload.NoBatching(2));
        await using var paced = await OpenAsync(folder.File("paced.db"), PacingLaws.Delay());
        comparison.Add("hand-written, 64 rows a transaction", time => Task.FromResult(Comparison.Repeat(time, Writers, () => batched.Write(Writers))));
        comparison.Add("hand-written, one transaction a write", time => Task.FromResult(Comparison.Repeat(time, 1, () => single.Write(1))));
        comparison.Add("Stout, 64 writers, no batching, window 1", time => window1.WriteAsync(Writers, time));
        comparison.Add("Stout, 64 writers, no batching, window 2", time => window2.WriteAsync(Writers, time));
        comparison.Add("Stout, 64 writers, the law Delay", time => paced.WriteAsync(Writers, time));
        comparison.Add("Stout, 256 writers, no batching, window 2", time => window2.WriteAsync(4 * Writers, time));
        await comparison.RunAsync("durable writes");
    }

    private static Task<Workload> OpenAsync(string path, Func<IPacingLaw> pacing) =>
        Workload.OpenAsync(new SqliteStorage(path), Keys, ValueBytes, pacing);
}
