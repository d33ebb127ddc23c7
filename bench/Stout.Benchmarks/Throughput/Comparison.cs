using System.Diagnostics;
using System.Globalization;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Runs variants in turn, several rounds, and compares each with the first one round by round, so that a disturbance of the machine hits both. Processor
/// time and allocations are the whole process's; they hardly depend on other load of the machine.
/// </summary>
/// <param name="rounds">How often each variant has its turn.</param>
/// <param name="turn">The length of a turn.</param>
/// <param name="server">Reads the processor time that the server has used; null without a server.</param>
internal sealed class Comparison(int rounds, TimeSpan turn, Func<TimeSpan>? server = null)
{
    private readonly List<(string Name, Func<TimeSpan, Task<long>> Run, List<Turn> Turns)> _variants = [];

    /// <summary>How often each variant has its turn.</summary>
    public int Rounds => rounds;

    /// <summary>
    /// Adds a variant: a function that runs for about the given time and returns its number of operations. Every variant is compared with the first one.
    /// </summary>
    public void Add(string name, Func<TimeSpan, Task<long>> run) => _variants.Add((name, run, []));

    /// <summary>A comparison of the same length, without variants.</summary>
    public Comparison Anew() => new(rounds, turn, server);

    /// <summary>A comparison of the same length, without variants, that also measures a server's processor time.</summary>
    public Comparison With(Func<TimeSpan> serverProcessor) => new(rounds, turn, serverProcessor);

    /// <summary>Runs the variants.</summary>
    /// <returns>The turns of each variant, in the order of rounds.</returns>
    public async Task<IReadOnlyDictionary<string, IReadOnlyList<Turn>>> MeasureAsync()
    {
        foreach (var (_, run, _) in _variants)
            await run(turn / 2); // Warm-up.
        for (var round = 0; round < rounds; round++)
        {
            // Every other round runs in reverse order, so that no variant always follows the same neighbor.
            for (var i = 0; i < _variants.Count; i++)
            {
                var (_, run, turns) = _variants[round % 2 == 0 ? i : _variants.Count - 1 - i];
                turns.Add(await MeasureAsync(run));
            }
        }

        return _variants.ToDictionary(variant => variant.Name, variant => (IReadOnlyList<Turn>)variant.Turns);
    }

    /// <summary>Runs the variants and prints their figures.</summary>
    /// <param name="operations">The counted operations.</param>
    /// <param name="firstOverEach">Whether the ratios are those of the first variant to each one; else those of each one to the first.</param>
    public async Task RunAsync(string operations, bool firstOverEach = false)
    {
        await MeasureAsync();
        Console.WriteLine($"{operations}: median (least to most) of {rounds} alternated rounds of {turn.TotalSeconds:0.##} s, on {Environment.ProcessorCount} processors");
        Print("", "per second", firstOverEach ? "the first over it" : "ratio to the first", "µs each", "CPU µs each", firstOverEach ? "CPU, the first over it" : "CPU ratio", "bytes each");
        var first = _variants[0].Turns;
        foreach (var (name, _, turns) in _variants)
        {
            var pairs = turns.Zip(first).ToList();
            Print(
                name,
                Spread(turns.Select(t => 1e6 / t.Microseconds), "N0"),
                Ratio(pairs, static turn => 1 / turn.Microseconds, firstOverEach),
                Spread(turns.Select(t => t.Microseconds), "0.0"),
                Spread(turns.Select(t => t.ProcessorMicroseconds), "0.00"),
                Ratio(pairs, static turn => turn.ProcessorMicroseconds, firstOverEach),
                Spread(turns.Select(t => t.Bytes), "0"));
        }

        static void Print(string name, string rate, string ratio, string time, string processor, string processorRatio, string bytes) =>
            Console.WriteLine($"  {name,-44} {rate,-30} {ratio,-24} {time,-28} {processor,-26} {processorRatio,-24} {bytes}");
    }

    /// <summary>Runs each variant once more, and prints by how much a count grows with each operation.</summary>
    /// <param name="what">The counted quantity.</param>
    /// <param name="read">Reads the count. It may be slow, since these turns do not measure speed.</param>
    public async Task CountAsync(string what, Func<Task<long>> read)
    {
        foreach (var (name, run, _) in _variants)
        {
            var before = await read();
            var operations = await run(turn);
            Console.WriteLine($"  {name,-46} {(double)(await read() - before) / operations:N0} {what}");
        }
    }

    /// <summary>Repeats an action of <paramref name="each"/> operations until the time is up.</summary>
    /// <returns>The number of operations.</returns>
    public static long Repeat(TimeSpan time, int each, Action action)
    {
        long done = 0;
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time; done += each)
            action();
        return done;
    }

    private async Task<Turn> MeasureAsync(Func<TimeSpan, Task<long>> run)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var before = server?.Invoke() ?? default;
        var (processor, bytes, start) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true), Stopwatch.GetTimestamp());
        var done = (double)await run(turn);
        return new Turn(
            Stopwatch.GetElapsedTime(start).TotalMicroseconds / done,
            (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / done,
            (GC.GetTotalAllocatedBytes(precise: true) - bytes) / done,
            ((server?.Invoke() ?? default) - before).TotalMicroseconds / done);
    }

    private static string Ratio(List<(Turn Each, Turn First)> pairs, Func<Turn, double> figure, bool firstOverEach) =>
        Spread(pairs.Select(pair => firstOverEach ? figure(pair.First) / figure(pair.Each) : figure(pair.Each) / figure(pair.First)), "0.000");

    private static string Spread(IEnumerable<double> values, string format)
    {
        var sorted = values.Order().ToList();
        return $"{Text(sorted[sorted.Count / 2])} ({Text(sorted[0])} to {Text(sorted[^1])})";

        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
    }
}
