using System.Diagnostics;
using Stout.Storage;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Measures one lane on the store in memory. Each operation changes one of 10,000 keys, chosen uniformly, and sends a message that is released after the
/// acknowledgement. Run it on one processor (<c>taskset -c 0</c>), so that a rate is a rate per core.
/// </summary>
internal static class HotPath
{
    private const int Keys = 10_000;
    private const int MostWaiting = 100_000;

    public static async Task RunAsync(Comparison comparison)
    {
        await using var workload = await Workload.OpenAsync(new InMemoryStore(), Keys, 64, Workload.NoBatching(8));
        comparison.Add("callbacks", time => Task.FromResult(Callbacks(workload, time)));
        comparison.Add("awaitables, 256 waiting at a time", time => workload.WriteAsync(256, time));
        await comparison.RunAsync("changes with their message");
    }

    /// <summary>Sends as fast as possible, with about <see cref="MostWaiting"/> messages waiting at most.</summary>
    private static long Callbacks(Workload workload, TimeSpan time)
    {
        var random = new Random(1);
        var counter = new Counter();
        var start = Stopwatch.GetTimestamp();
        long sent = 0;
        while (Stopwatch.GetElapsedTime(start) < time)
        {
            for (var i = 0; i < 1000; i++, sent++)
            {
                workload.Handles[random.Next(Keys)].MarkDirty(default, counter, static (counter, _) => Interlocked.Increment(ref counter.Released));
            }

            while (sent - Volatile.Read(ref counter.Released) > MostWaiting)
                Thread.Yield();
        }

        while (Volatile.Read(ref counter.Released) < sent)
            Thread.Yield();
        return sent;
    }

    private sealed class Counter
    {
        public long Released;
    }
}
