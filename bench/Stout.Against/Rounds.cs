using System.Diagnostics;
using System.Globalization;

namespace Stout.Against;

/// <summary>
/// Alternates turns of two builds, each turn in a fresh process: the former build, this one, and the former one again, whose ratio to itself is the noise. Every
/// other round runs in reverse order.
/// </summary>
internal static class Rounds
{
    public static async Task RunAsync(string former, string current, IReadOnlyList<string> stores, IReadOnlyList<int> writers, int rounds, double seconds)
    {
        Console.WriteLine($"Medians (least to most) of {rounds} alternated rounds of {seconds:0.#} s, on {Environment.ProcessorCount} processors.");
        Console.WriteLine($"{"store",-10}{"writers",8}  {"updates/s, now over before",-28}{"before over itself",-28}{"processor, now over before",-28}{"before over itself",-28}{"bytes now, before",-18}");
        foreach (var store in stores)
        {
            foreach (var count in writers)
                await CompareAsync(former, current, store, count, rounds, seconds);
        }
    }

    private static async Task CompareAsync(string former, string current, string store, int writers, int rounds, double seconds)
    {
        string[] programs = [former, current, former];
        var turns = programs.Select(_ => new List<Figures>()).ToArray();
        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < programs.Length; i++)
            {
                var variant = round % 2 == 0 ? i : programs.Length - 1 - i;
                turns[variant].Add(await TurnAsync(programs[variant], store, writers, seconds));
            }
        }

        var rate = Spread(turns[1].Zip(turns[0], (now, before) => now.Rate / before.Rate));
        var rateNoise = Spread(turns[2].Zip(turns[0], (again, before) => again.Rate / before.Rate));
        var processor = Spread(turns[1].Zip(turns[0], (now, before) => now.Processor / before.Processor));
        var processorNoise = Spread(turns[2].Zip(turns[0], (again, before) => again.Processor / before.Processor));
        Console.WriteLine($"{store,-10}{writers,8}  {rate,-28}{rateNoise,-28}{processor,-28}{processorNoise,-28}{Median(turns[1].Select(turn => turn.Bytes)):0}, {Median(turns[0].Select(turn => turn.Bytes)):0}");
    }

    private static async Task<Figures> TurnAsync(string program, string store, int writers, double seconds)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        foreach (var argument in (string[])[program, "turn", store, $"{writers}", seconds.ToString(CultureInfo.InvariantCulture)])
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? Figures.Parse(output.Trim()) : throw new InvalidOperationException($"{program} ended with {process.ExitCode}.");
    }

    private static string Spread(IEnumerable<double> ratios)
    {
        var sorted = ratios.Order().ToList();
        return string.Create(CultureInfo.InvariantCulture, $"{Median(sorted):0.000} ({sorted[0]:0.00} to {sorted[^1]:0.00})");
    }

    private static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
