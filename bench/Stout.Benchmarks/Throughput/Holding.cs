using System.Diagnostics;
using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Compares the same writes at saturation, with a reply to each that is held until its write is durable, and without replies. Half of the keys are
/// undurable at any time, so the store always has work. A key is marked again only when it is durable, so every change is a write.
/// </summary>
internal static class Holding
{
    private const int Keys = 20_000;
    private const int ValueBytes = 256;
    private const int Burst = 100;

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
        Workload.OpenAsync(new SqliteStorage(path), Keys, ValueBytes, Workload.NoBatching(2));

    private static async Task<long> RunAsync(Workload workload, TimeSpan time, bool reply)
    {
        var before = workload.Client.GetStatistics().KeysWritten;
        var replies = new Counter();
        long marked = 0;
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time;)
        {
            for (var i = 0; i < Burst; i++, marked++)
            {
                var handle = workload.Handles[marked % Keys];
                if (reply)
                    handle.MarkDirty(default, replies, static (replies, _) => Interlocked.Increment(ref replies.Value));
                else
                    handle.MarkDirty();
            }

            await UntilWrittenAsync(marked - (Keys / 2));
        }

        await UntilWrittenAsync(marked);
        return marked;

        async Task UntilWrittenAsync(long count)
        {
            while (workload.Client.GetStatistics().KeysWritten - before < count)
                await Task.Delay(1);
        }
    }

    private sealed class Counter
    {
        public long Value;
    }
}
