using System.Diagnostics;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// Writes without pause while the store's server is killed and started again, and says how long after the server's return the writes
/// flow as before.
/// </summary>
internal sealed class Recovery
{
    private const int Writers = 64;

    /// <summary>As before: this share of what was usual.</summary>
    private const double Full = 0.8;

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);

    private readonly IComparedStore _store;
    private readonly Workload _workload;
    private long _written;

    private Recovery(IComparedStore store, Workload workload) => (_store, _workload) = (store, workload);

    /// <param name="rounds">How often the server is killed.</param>
    /// <param name="calm">How long writes flow before that.</param>
    /// <param name="kill">The shell's command that kills it.</param>
    /// <param name="start">The shell's command that starts it.</param>
    public static async Task RunAsync(int rounds, TimeSpan calm, string kill, string start)
    {
        await using var store = ComparedStores.FromEnvironment()[0];
        await using var workload = await Workload.OpenAsync(store.Connect(), Writers, 256, new PacingOptions());
        using var end = new CancellationTokenSource();
        var writing = workload.WriteAsync(Writers, TimeSpan.MaxValue, end.Token);
        var recovery = new Recovery(store, workload);
        Console.WriteLine($"{store.Name}, {Writers} writers: seconds from the server's return, to the first keys written and to {Full:P0} of the usual");
        var all = new List<double>();
        for (var round = 0; round < rounds; round++)
            all.Add(await recovery.ObserveAsync(calm, kill, start));
        all.Sort();
        Console.WriteLine($"  median {all[all.Count / 2]:0.00} s ({all[0]:0.00} to {all[^1]:0.00})");
        await end.CancelAsync();
        await writing;
    }

    private async Task<double> ObserveAsync(TimeSpan calm, string kill, string start)
    {
        var usual = await UsualAsync(calm);
        await ShellAsync(kill);
        var starting = ShellAsync(start);
        while (!await _store.AnswersAsync())
            await Task.Delay(10);
        var back = Stopwatch.GetTimestamp();
        Count();
        double? first = null;
        while (true)
        {
            await Task.Delay(Step);
            var (rate, after) = (Count(), Stopwatch.GetElapsedTime(back));
            if (rate > 0)
                first ??= after.TotalSeconds;
            if (rate < usual * Full && after < LongestWait)
                continue;
            await starting;
            var outcome = rate < usual * Full ? "not as before" : "as before";
            Console.WriteLine($"  first {first:0.00} s, {outcome} {after.TotalSeconds:0.00} s ({rate} keys in {Step.TotalMilliseconds} ms; {usual} were usual)");
            return after.TotalSeconds;
        }
    }

    /// <returns>The median of what is written in a step.</returns>
    private async Task<long> UsualAsync(TimeSpan time)
    {
        var rates = new List<long>();
        Count();
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time;)
        {
            await Task.Delay(Step);
            rates.Add(Count());
        }

        return rates.Order().ElementAt(rates.Count / 2);
    }

    /// <returns>What has been written since the last count.</returns>
    private long Count()
    {
        var before = _written;
        _written = _workload.Client.GetStatistics().KeysWritten;
        return _written - before;
    }

    private static async Task ShellAsync(string command)
    {
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-c", command]) { RedirectStandardOutput = true })!;
        await shell.WaitForExitAsync();
        if (shell.ExitCode != 0)
            throw new InvalidOperationException($"The command ended with {shell.ExitCode}: {command}");
    }
}
