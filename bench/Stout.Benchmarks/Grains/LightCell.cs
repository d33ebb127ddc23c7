using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks.Grains;

/// <summary>Measures how long each change of a lone caller takes. The silos are new ones, so that Stout's pacing has seen no other load.</summary>
internal static class LightCell
{
    /// <param name="busy">The number of loops that keep processors busy meanwhile.</param>
    public static async Task RunAsync(Comparison comparison, OrleansDatabase database, Figures figures, string cell, int busy)
    {
        figures.Begin(cell, $"one caller, {busy} busy loops");
        await using var silos = await ComparedSilos.StartAsync(database);
        using var loops = new BusyLoops(busy);
        var variants = comparison.Anew();
        var plain = Add("ADO.NET", silos.Plain);
        var prepared = Add("ADO.NET, prepared", silos.Prepared);
        var stout = Add("Stout", silos.Stout);
        await variants.MeasureAsync();
        foreach (var (name, turns) in new[] { ("ADO.NET", plain), ("ADO.NET, prepared", prepared), ("Stout", stout) })
        {
            figures.Add(name, "p50, ms", turns.Skip(1).Select(P50));
            figures.Add(name, "p99, ms", turns.Skip(1).Select(P99));
        }

        figures.Add("Stout", "p50 over ADO.NET", Ratios(stout, plain, P50), Goal.AtMost(1.1));
        figures.Add("Stout", "p50 over ADO.NET, prepared", Ratios(stout, prepared, P50));
        figures.Add("Stout", "p99 over ADO.NET", Ratios(stout, plain, P99));

        List<List<double>> Add(string name, GrainSilo silo)
        {
            var all = new List<List<double>>();
            variants.Add(name, async time =>
            {
                var times = await silo.TimeAsync<AccountGrain>(time);
                times.Sort();
                all.Add(times);
                return times.Count;
            });
            return all;
        }
    }

    // Skips the first turn of each variant, which is the warm-up.
    private static IEnumerable<double> Ratios(List<List<double>> each, List<List<double>> first, Func<List<double>, double> figure) =>
        each.Zip(first, (a, b) => figure(a) / figure(b)).Skip(1);

    private static double P50(List<double> sorted) => sorted[sorted.Count / 2];

    private static double P99(List<double> sorted) => sorted[sorted.Count * 99 / 100];
}
