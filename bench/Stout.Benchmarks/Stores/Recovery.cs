using System.Diagnostics;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// Writes without pause while somebody kills the store's server and starts it again, and says how long after the server's return
/// the writes flow as before.
/// </summary>
internal static class Recovery
{
    private const int Writers = 64;
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);

    public static async Task RunAsync(TimeSpan time)
    {
        await using var store = ComparedStores.FromEnvironment()[0];
        await using var workload = await Workload.OpenAsync(store.Connect(), Writers, 256, new PacingOptions());
        var writing = workload.WriteAsync(Writers, time);
        var (usual, away, back) = (0L, false, 0L);
        Console.WriteLine($"Kill {store.Name} now, and start it again.");
        for (var written = workload.Client.GetStatistics().KeysWritten; !writing.IsCompleted;)
        {
            await Task.Delay(Step);
            var answers = await store.AnswersAsync();
            var now = workload.Client.GetStatistics().KeysWritten;
            var rate = now - written;
            written = now;
            if (!answers)
                (away, back) = (true, 0);
            else if (away && back == 0)
                back = Stopwatch.GetTimestamp();
            if (!away)
            {
                usual = usual == 0 ? rate : ((9 * usual) + rate) / 10;
                continue;
            }

            if (back == 0)
                continue;
            Console.WriteLine($"  {Stopwatch.GetElapsedTime(back).TotalSeconds:0.00} s after its return: {rate} keys in {Step.TotalMilliseconds} ms; {usual} were usual");
            if (rate < usual * 0.8)
                continue;
            (away, back) = (false, 0);
        }

        await writing;
    }
}
