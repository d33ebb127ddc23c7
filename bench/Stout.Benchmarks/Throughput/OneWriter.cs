using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>One writer at a time: the time of a write through Stout (no batching), and of a direct transaction.</summary>
internal static class OneWriter
{
    private const int ValueBytes = 256;

    public static async Task RunAsync(Comparison comparison)
    {
        using var folder = new TemporaryFolder();
        using var direct = new DirectSqlite(folder.File("direct.db"), 1, ValueBytes);
        await using var workload = await Workload.OpenAsync(new SqliteStorage(folder.File("stout.db")), 1, ValueBytes, Workload.NoBatching(1));
        comparison.Add("direct transaction", time => Task.FromResult(Comparison.Repeat(time, 1, () => direct.Write(1))));
        comparison.Add("through Stout", time => workload.WriteAsync(1, time));
        await comparison.RunAsync("durable writes, one after the other");
    }
}
