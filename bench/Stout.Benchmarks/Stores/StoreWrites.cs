using System.Diagnostics;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// Durable writes of 256 bytes per second on stores over a network: one request for each write with the store's plain client beside
/// Stout, with the bytes on the wire for each write.
/// </summary>
internal static class StoreWrites
{
    private const int Writers = 64;
    private const int Keys = 4 * Writers;
    private const int ValueBytes = 256;

    public static async Task RunAsync(Comparison comparison)
    {
        foreach (var store in ComparedStores.FromEnvironment())
        {
            await using (store)
                await RunAsync(comparison, store);
        }
    }

    private static async Task RunAsync(Comparison comparison, IComparedStore store)
    {
        var wire = new Dictionary<string, (long Bytes, long Writes)>();
        await store.PreparePlainAsync(Writers);
        await using var window1 = await OpenAsync(store, Workload.NoBatching(1));
        await using var window2 = await OpenAsync(store, Workload.NoBatching(2));
        await using var paper = await OpenAsync(store, new PacingOptions());
        Add("plain client, one request a write", time => WritePlainAsync(store, time));
        Add("Stout, no batching, window 1", time => window1.WriteAsync(Writers, time));
        Add("Stout, no batching, window 2", time => window2.WriteAsync(Writers, time));
        Add("Stout, the paper's law", time => paper.WriteAsync(Writers, time));
        await comparison.RunAsync($"durable writes on {store.Name}, {Writers} writers");
        foreach (var (name, (bytes, writes)) in wire)
            Console.WriteLine($"  {name,-46} {(double)bytes / writes:N0} bytes on the wire each, both ways");
        await BatchCost.RunAsync(store);

        void Add(string name, Func<TimeSpan, Task<long>> run) => comparison.Add(name, async time =>
        {
            var before = store.WireBytes;
            var writes = await run(time);
            if (store.WireBytes - before is { } bytes)
                wire[name] = wire.TryGetValue(name, out var sum) ? (sum.Bytes + bytes, sum.Writes + writes) : (bytes, writes);
            return writes;
        });
    }

    private static Task<Workload> OpenAsync(IComparedStore store, PacingOptions pacing) => Workload.OpenAsync(store.Connect(), Keys, ValueBytes, pacing);

    private static async Task<long> WritePlainAsync(IComparedStore store, TimeSpan time)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            var (random, value, done) = (new Random(writer), new byte[ValueBytes], 0L);
            random.NextBytes(value);
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
            {
                BitConverter.TryWriteBytes(value, done);
                await store.WritePlainAsync($"key {writer + (random.Next(Keys / Writers) * Writers):D6}", value);
            }

            return done;
        })));
        return counts.Sum();
    }
}
