using System.Diagnostics;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// Writes without pause while the store's server is killed and started again, and prints how long after the server's return the writes flow as before.
/// </summary>
internal sealed class Recovery
{
    private const int Writers = 64;

    /// <summary>Writes flow as before when they reach this share of the usual flow, over <see cref="Window"/> steps.</summary>
    private const double Full = 0.8;

    private const int Window = 5;
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);

    private readonly IComparedStore _store;
    private readonly StoutClient _client;
    private readonly Queue<long> _written = [];

    private Recovery(IComparedStore store, StoutClient client) => (_store, _client) = (store, client);

    /// <param name="rounds">How often the server is killed.</param>
    /// <param name="calm">How long writes flow before each kill.</param>
    /// <param name="kill">The shell's command that kills the server.</param>
    /// <param name="start">The shell's command that starts the server.</param>
    public static async Task RunAsync(int rounds, TimeSpan calm, string kill, string start)
    {
        await using var store = ComparedStores.FromEnvironment()[0];
        await using var workload = await Workload.OpenAsync(store.Connect(), Writers, 256, PacingLaws.Delay());
        using var end = new CancellationTokenSource();
        var writing = Task.WhenAll(workload.Handles.Select(handle => WriteAsync(workload.Client, handle, end.Token)));
        var recovery = new Recovery(store, workload.Client);
        Console.WriteLine($"{store.Name}, {Writers} writers: seconds from the server's return to the first keys written, and until {Full:P0} of the usual flow");
        var all = new List<double>();
        for (var round = 0; round < rounds; round++)
            all.Add(await recovery.ObserveAsync(calm, kill, start));
        all.Sort();
        Console.WriteLine($"  median {all[all.Count / 2]:0.00} s ({all[0]:0.00} to {all[^1]:0.00})");
        await end.CancelAsync();
        await writing;
    }

    // Fills the key again after an error. A write in flight at the kill may have an unknown outcome, and lost acknowledged writes cause conflicts.
    private static async Task WriteAsync(StoutClient client, KeyHandle handle, CancellationToken end)
    {
        var (key, open) = (handle.Key, handle);
        while (!end.IsCancellationRequested)
        {
            try
            {
                open ??= await client.FillAsync(key, cancellationToken: CancellationToken.None);
                await open.MarkDirtyAsync(cancellationToken: CancellationToken.None);
            }
            catch (StoutException)
            {
                open = null;
            }
        }
    }

    private async Task<double> ObserveAsync(TimeSpan calm, string kill, string start)
    {
        var usual = await UsualAsync(calm);
        await ShellAsync(kill);
        var starting = ShellAsync(start);
        while (!await _store.AnswersAsync())
            await Task.Delay(10);
        var back = Stopwatch.GetTimestamp();
        _written.Clear();
        double? first = null;
        while (true)
        {
            var flow = await FlowAsync();
            var after = Stopwatch.GetElapsedTime(back);
            if (flow > 0)
                first ??= after.TotalSeconds;
            var isFull = flow >= usual * Full;
            if (!isFull && after < LongestWait)
                continue;
            await starting;
            var since = Math.Max(0, (after - (Step * Window)).TotalSeconds);
            Console.WriteLine($"  first {first:0.00} s, {(isFull ? "full" : "still not full")} {since:0.00} s ({flow} keys in {(Step * Window).TotalMilliseconds} ms; {usual} were usual)");
            return since;
        }
    }

    /// <returns>The median number of keys written in <see cref="Window"/> steps.</returns>
    private async Task<long> UsualAsync(TimeSpan time)
    {
        _written.Clear();
        var flows = new List<long>();
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time || flows.Count == 0;)
        {
            var flow = await FlowAsync();
            if (_written.Count > Window)
                flows.Add(flow);
        }

        return flows.Order().ElementAt(flows.Count / 2);
    }

    /// <summary>Waits for a step.</summary>
    /// <returns>The keys written in the last <see cref="Window"/> steps, or in all steps so far if there are fewer.</returns>
    private async Task<long> FlowAsync()
    {
        if (_written.Count == 0)
            _written.Enqueue(_client.GetStatistics().KeysWritten);
        await Task.Delay(Step);
        _written.Enqueue(_client.GetStatistics().KeysWritten);
        if (_written.Count > Window + 1)
            _written.Dequeue();
        return _written.Last() - _written.Peek();
    }

    private static async Task ShellAsync(string command)
    {
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-c", command]) { RedirectStandardOutput = true })!;
        await shell.WaitForExitAsync();
        if (shell.ExitCode != 0)
            throw new InvalidOperationException($"The command ended with {shell.ExitCode}: {command}");
    }
}
