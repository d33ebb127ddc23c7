using System.Diagnostics;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// Durable writes of 256 bytes per second on stores over a network. Compares one request for each write, by the store's plain client, with Stout. Also
/// counts the bytes of each write on the heap and on the wire.
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
        using var wire = new SocketBytes();
        await store.PreparePlainAsync(Writers);
        await using var window1 = await OpenAsync(store, Workload.NoBatching(1));
        await using var window2 = await OpenAsync(store, Workload.NoBatching(2));
        await using var paced = await OpenAsync(store, PacingLaws.Delay());
        var variants = comparison.Anew();
        variants.Add("plain client, one request a write", time => WritePlainAsync(store, time));
        variants.Add("Stout, no batching, window 1", time => window1.WriteAsync(Writers, time));
        variants.Add("Stout, no batching, window 2", time => window2.WriteAsync(Writers, time));
        variants.Add("Stout, the law Delay", time => paced.WriteAsync(Writers, time));
        await variants.RunAsync($"durable writes on {store.Name}, {Writers} writers");
        await variants.CountAsync("bytes on the wire each, both ways", wire.ReadAsync);
    }

    private static Task<Workload> OpenAsync(IComparedStore store, Func<IPacingLaw> pacing) => Workload.OpenAsync(store.Connect(), Keys, ValueBytes, pacing);

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
