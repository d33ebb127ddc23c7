using System.Diagnostics;
using System.Globalization;
using Stout.Benchmarks.Stores;
using Stout.Pacing;
using Stout.Sqlite;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Measures the cost of the pacing law Delay for a writer that awaits each answer. Measures the first 30 writes of a fresh process, and later writes. Writes
/// without batching, in another process, are the comparison. The two processes take turns, so a disturbance of the machine hits both.
/// </summary>
internal static class ColdStart
{
    public const string ChildCommand = "coldstart-process";

    private const int FirstWrites = 30;
    private const int ValueBytes = 256;

    /// <summary>Runs the processes and prints the ratios.</summary>
    /// <param name="rounds">The number of processes of each law.</param>
    /// <param name="time">How long the writer goes on after its first writes.</param>
    /// <param name="busy">The number of loops that keep processors busy meanwhile.</param>
    public static async Task RunAsync(int rounds, TimeSpan time, int busy)
    {
        using var over = new CancellationTokenSource();
        var loops = Enumerable.Range(0, busy).Select(_ => Task.Factory.StartNew(() => Spin(over.Token), TaskCreationOptions.LongRunning)).ToList();
        foreach (var store in (string[])["sqlite", .. ComparedStores.Variables()])
        {
            List<(Figures Law, Figures Direct)> pairs = [];
            for (var round = 0; round < rounds; round++)
            {
                var first = await StartAsync(store, round % 2 == 0 ? nameof(PacingLaws.Delay) : nameof(PacingLaws.NoBatching), time);
                var second = await StartAsync(store, round % 2 == 0 ? nameof(PacingLaws.NoBatching) : nameof(PacingLaws.Delay), time);
                pairs.Add(round % 2 == 0 ? (first, second) : (second, first));
            }

            Console.WriteLine($"{store}, one writer, {busy} busy loops: the law Delay beside no batching, median (least to most) of {rounds} processes each, in ms; ratio of the medians");
            Print($"first {FirstWrites} writes", pairs, static figures => figures.First);
            Print("p50", pairs, static figures => figures.P50);
            Print("p99", pairs, static figures => figures.P99);
        }

        await over.CancelAsync();
        await Task.WhenAll(loops);
    }

    /// <summary>Measures in this process, and prints the figures in milliseconds.</summary>
    public static async Task RunProcessAsync(string store, string law, TimeSpan time)
    {
        using var folder = new TemporaryFolder();
        await using var compared = store == "sqlite" ? null : ComparedStores.OfVariable(store);
        await using var workload = await Workload.OpenAsync(compared?.Connect() ?? new SqliteStorage(folder.File("stout.db")), 1, ValueBytes, PacingLaws.Named(law));
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < FirstWrites; i++)
            await workload.Handles[0].MarkDirtyAsync();
        var first = Stopwatch.GetElapsedTime(start);
        var latencies = new List<double>();
        for (start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time;)
        {
            var sent = Stopwatch.GetTimestamp();
            await workload.Handles[0].MarkDirtyAsync();
            latencies.Add(Stopwatch.GetElapsedTime(sent).TotalMilliseconds);
        }

        latencies.Sort();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{first.TotalMilliseconds} {latencies[latencies.Count / 2]} {latencies[latencies.Count * 99 / 100]}"));
    }

    private static async Task<Figures> StartAsync(string store, string law, TimeSpan time)
    {
        var start = OwnProcess.Command(ChildCommand, store, law, "--seconds", time.TotalSeconds.ToString(CultureInfo.InvariantCulture));
        start.RedirectStandardOutput = true;
        using var process = Process.Start(start)!;
        var text = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"The process for {law} on {store} ended with {process.ExitCode}.");
        var figures = text.Split(' ').Select(figure => double.Parse(figure, CultureInfo.InvariantCulture)).ToList();
        return new Figures(figures[0], figures[1], figures[2]);
    }

    private static void Print(string what, List<(Figures Law, Figures Direct)> pairs, Func<Figures, double> figure)
    {
        var (law, direct) = (Sorted(pairs.Select(pair => pair.Law)), Sorted(pairs.Select(pair => pair.Direct)));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {what,-16} {Spread(law),-32} {Spread(direct),-32} {law[law.Count / 2] / direct[direct.Count / 2]:0.000}"));

        List<double> Sorted(IEnumerable<Figures> all) => [.. all.Select(figure).Order()];

        static string Spread(List<double> sorted) =>
            string.Create(CultureInfo.InvariantCulture, $"{sorted[sorted.Count / 2]:0.000} ({sorted[0]:0.000} to {sorted[^1]:0.000})");
    }

    private static void Spin(CancellationToken over)
    {
        while (!over.IsCancellationRequested)
            Thread.SpinWait(1000);
    }

    private readonly record struct Figures(double First, double P50, double P99);
}
