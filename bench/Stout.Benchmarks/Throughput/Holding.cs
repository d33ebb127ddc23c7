using System.Diagnostics;
using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>The same writes at saturation, with a reply for each that is held until it is durable, and with none.</summary>
internal static class Holding
{
    private const int Keys = 10_000;
    private const int ValueBytes = 256;

    public static async Task RunAsync(Comparison comparison)
    {
        using var folder = new TemporaryFolder();
        await using var without = await Workload.OpenAsync(new SqliteStorage(folder.File("without.db")), Keys, ValueBytes, Workload.NoBatching(2));
        await using var with = await Workload.OpenAsync(new SqliteStorage(folder.File("with.db")), Keys, ValueBytes, Workload.NoBatching(2));
        comparison.Add("fire and forget", time => RunAsync(without, time, reply: false));
        comparison.Add("replies held", time => RunAsync(with, time, reply: true));
        await comparison.RunAsync("keys written per second");
    }

    /// <summary>Marks every key over and over: a key is marked again as soon as it is durable, so the store is never idle.</summary>
    private static async Task<double> RunAsync(Workload workload, TimeSpan time, bool reply)
    {
        var before = workload.Client.GetStatistics().KeysWritten;
        var start = Stopwatch.GetTimestamp();
        var replies = new Counter();
        while (Stopwatch.GetElapsedTime(start) < time)
        {
            foreach (var handle in workload.Handles)
            {
                handle.MarkDirty();
                if (reply)
                    handle.SendMessageWhenSafe(replies, static (replies, _) => Interlocked.Increment(ref replies.Value));
            }

            // The next round when half of this one is written, whether or not there are replies.
            while (workload.Client.GetStatistics().DirtyKeys > Keys / 2)
                await Task.Yield();
        }

        await workload.Handles[0].WhenSafeAsync();
        var written = workload.Client.GetStatistics().KeysWritten - before;
        return written / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private sealed class Counter
    {
        public long Value;
    }
}
