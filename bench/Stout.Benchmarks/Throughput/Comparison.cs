using System.Diagnostics;

namespace Stout.Benchmarks.Throughput;

/// <summary>Runs variants in turn, several rounds, and prints medians, ratios within the rounds, and their spread.</summary>
internal sealed class Comparison(int rounds, TimeSpan turn)
{
    private readonly List<(string Name, Func<TimeSpan, Task<double>> Run, List<double> Results)> _variants = [];

    /// <summary>Adds a variant, which runs for about the given time and returns its figure. The first one is what the others are compared with.</summary>
    public void Add(string name, Func<TimeSpan, Task<double>> run) => _variants.Add((name, run, []));

    public async Task RunAsync(string unit)
    {
        foreach (var (_, run, _) in _variants)
            await run(turn / 2); // Warm-up.
        for (var round = 0; round < rounds; round++)
        {
            foreach (var (_, run, results) in _variants)
            {
                GC.Collect();
                results.Add(await run(turn));
            }
        }

        var first = _variants[0].Results;
        Console.WriteLine($"{unit}; median of {rounds} alternated rounds of {turn.TotalSeconds:0.#} s (least to most); ratio to the first, round by round");
        foreach (var (name, _, results) in _variants)
        {
            var ratios = results.Zip(first, (mine, its) => mine / its).ToList();
            Console.WriteLine($"  {name,-52} {Spread(results, "N0"),-36} {Spread(ratios, "0.000")}");
        }
    }

    /// <summary>Repeats something until the time is up.</summary>
    /// <returns>How often per second it was done.</returns>
    public static double Rate(TimeSpan time, int each, Action action)
    {
        long done = 0;
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < time)
        {
            action();
            done += each;
        }

        return done / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    private static string Spread(List<double> values, string format)
    {
        var sorted = values.Order().ToList();
        return $"{sorted[sorted.Count / 2].ToString(format)} ({sorted[0].ToString(format)}–{sorted[^1].ToString(format)})";
    }
}
