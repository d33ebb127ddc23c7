using System.Diagnostics;
using System.Globalization;

namespace Stout.Against;

/// <summary>
/// Alternates two builds of replicas that all change one object of PostgreSQL: changes per second, the most over the least changes of a replica, and the 99th
/// percentile of a change.
/// </summary>
internal static class Replicas
{
    public static async Task RunAsync(string former, string current, int replicas, int callers, int rounds, double seconds)
    {
        Console.WriteLine($"{replicas} replicas with {callers} callers each on one object, {rounds} alternated rounds of {seconds:0.#} s: medians (least to most).");
        Console.WriteLine($"{"",-8}{"changes/s",-28}{"most over least share",-28}{"p99, ms",-28}");
        List<Outcome> before = [], now = [];
        for (var round = 0; round < rounds; round++)
        {
            foreach (var isNow in (bool[])[round % 2 == 1, round % 2 == 0])
                (isNow ? now : before).Add(await TurnAsync(isNow ? current : former, replicas, callers, seconds));
        }

        foreach (var (name, outcomes) in new[] { ("before", before), ("now", now) })
            Console.WriteLine($"{name,-8}{Spread(outcomes.Select(o => o.Rate), "0")}{Spread(outcomes.Select(o => o.Share), "0.0")}{Spread(outcomes.Select(o => o.High), "0")}");
        Console.WriteLine($"changes/s, now over before: {Spread(now.Zip(before, (a, b) => a.Rate / b.Rate), "0.00")}");
    }

    private static async Task<Outcome> TurnAsync(string program, int replicas, int callers, double seconds)
    {
        var schema = $"against_{Guid.NewGuid():N}";
        var processes = Enumerable.Range(0, replicas).Select(_ => Start(program, schema, callers, seconds)).ToList();
        try
        {
            foreach (var process in processes)
            {
                if (await process.StandardOutput.ReadLineAsync() != "ready")
                    throw new InvalidOperationException($"A replica of {program} did not open the store.");
            }

            foreach (var process in processes)
                await process.StandardInput.WriteLineAsync();
            var lines = await Task.WhenAll(processes.Select(process => process.StandardOutput.ReadLineAsync()));
            var latencies = lines.Select(static line => (line ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(static number => double.Parse(number, CultureInfo.InvariantCulture)).ToList()).ToList();
            var all = latencies.SelectMany(static replica => replica).Order().ToList();
            return new Outcome(all.Count / seconds, (double)latencies.Max(static l => l.Count) / Math.Max(1, latencies.Min(static l => l.Count)), all[(int)(all.Count * 0.99)]);
        }
        finally
        {
            foreach (var process in processes)
            {
                if (!process.HasExited)
                    process.Kill();
                process.Dispose();
            }

            await Turns.DropAsync(schema);
        }
    }

    private static Process Start(string program, string schema, int callers, double seconds)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardInput = true };
        foreach (var argument in (string[])[program, "replica", schema, $"{callers}", seconds.ToString(CultureInfo.InvariantCulture)])
            start.ArgumentList.Add(argument);
        return Process.Start(start)!;
    }

    private static string Spread(IEnumerable<double> values, string format)
    {
        var sorted = values.Order().ToList();
        return $"{Text(sorted[sorted.Count / 2])} ({Text(sorted[0])} to {Text(sorted[^1])})".PadRight(28);

        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
    }

    private readonly record struct Outcome(double Rate, double Share, double High);
}
