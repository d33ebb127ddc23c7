using System.Diagnostics;
using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// The same writes at saturation, with a reply for each that is held until it is durable, and with none. The door keeps the caller
/// to a bounded number of dirty keys, so the store always has work and the caller only waits for room.
/// </summary>
internal static class Holding
{
    private const int Keys = 10_000;
    private const int ValueBytes = 256;

    public static async Task RunAsync(Comparison comparison)
    {
        using var folder = new TemporaryFolder();
        await using var without = await OpenAsync(folder.File("without.db"));
        await using var with = await OpenAsync(folder.File("with.db"));
        comparison.Add("fire and forget", time => RunAsync(without, time, reply: false));
        comparison.Add("replies held", time => RunAsync(with, time, reply: true));
        await comparison.RunAsync("keys written");
    }

    private static Task<Workload> OpenAsync(string path) =>
        Workload.OpenAsync(new SqliteStorage(path), Keys, ValueBytes, Workload.NoBatching(2), new StoutOptions { MaxDirtyKeys = Keys / 2 });

    private static async Task<long> RunAsync(Workload workload, TimeSpan time, bool reply)
    {
        var before = workload.Client.GetStatistics().KeysWritten;
        var replies = new Counter();
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time;)
        {
            foreach (var handle in workload.Handles)
            {
                await handle.AdmitAsync();
                handle.MarkDirty();
                if (reply)
                    handle.SendMessageWhenSafe(replies, static (replies, _) => Interlocked.Increment(ref replies.Value));
            }
        }

        foreach (var handle in workload.Handles)
            await handle.WhenSafeAsync();
        return workload.Client.GetStatistics().KeysWritten - before;
    }

    private sealed class Counter
    {
        public long Value;
    }
}
