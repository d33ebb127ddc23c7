using Stout.Experiments.Output.Plots;
using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>The cost of a batch over its size, from 1 key to the store's limit, and the size beyond which larger batches gain little.</summary>
internal static class BatchCost
{
    private const int ValueBytes = 256;

    /// <summary>Larger batches stop paying at the first size whose time per key is at most this multiple of the least time per key.</summary>
    private const double CloseEnough = 1.1;

    /// <summary>Measures the stores that the environment names, and SQLite.</summary>
    /// <param name="rounds">How often each size is measured; the sizes take turns.</param>
    /// <param name="turn">The length of each measurement.</param>
    /// <param name="folder">The folder for a plot of each store; null for no plots.</param>
    public static async Task RunAsync(int rounds, TimeSpan turn, string? folder)
    {
        using var files = new TemporaryFolder();
        await RunAsync("SQLite", new SqliteStorage(files.File("batches.db")), rounds, turn, folder);
        foreach (var store in ComparedStores.Find())
        {
            await using (store)
                await RunAsync(store.Name, store.Connect(), rounds, turn, folder);
        }
    }

    private static async Task RunAsync(string name, IStorageProxy proxy, int rounds, TimeSpan turn, string? folder)
    {
        await using (proxy)
        {
            var writer = new BatchesOfOneSize((await proxy.OpenAsync())[0], ValueBytes);
            var sizes = Sizes(proxy.Limits.MaxBatchKeys).ToDictionary(size => size, _ => new List<double>());
            foreach (var size in sizes.Keys)
                await writer.MeasureAsync(size, TimeSpan.Zero); // Warm-up.
            for (var round = 0; round < rounds; round++)
            {
                foreach (var (size, milliseconds) in round % 2 == 0 ? sizes : sizes.Reverse())
                    milliseconds.Add(await writer.MeasureAsync(size, turn));
            }

            var costs = sizes.Select(size => new SizeCost(size.Key, [.. size.Value.Order()])).ToList();
            var enough = costs.First(cost => cost.KeyMicroseconds <= CloseEnough * costs.Min(other => other.KeyMicroseconds));
            Report(name, costs, enough, rounds);
            if (folder is not null)
                Draw(Path.Combine(folder, $"batch-cost-{name.Replace(' ', '-').ToLowerInvariant()}.svg"), name, costs, enough);
        }
    }

    private static void Report(string name, List<SizeCost> costs, SizeCost enough, int rounds)
    {
        Console.WriteLine($"a batch of {ValueBytes}-byte values on {name}, median (least to most) of {rounds} rounds");
        Console.WriteLine($"  {"keys",6} {"milliseconds",28} {"µs a key",12}");
        foreach (var cost in costs)
            Console.WriteLine($"  {cost.Keys,6} {$"{cost.Milliseconds:0.00} ({cost.Sorted[0]:0.00} to {cost.Sorted[^1]:0.00})",28} {cost.KeyMicroseconds,12:0.0}");
        Console.WriteLine($"  From {enough.Keys} keys on a key's share is within 10 % of the least.");
    }

    private static void Draw(string file, string name, List<SizeCost> costs, SizeCost enough)
    {
        // Chooses the unit by the largest value, since labels of six digits would overlap the axis' name.
        var (unit, scale) = costs.Max(cost => cost.Sorted[^1] / cost.Keys) < 10 ? ("µs", 1_000) : ("ms", 1);
        var line = new PlotLine("median, and the rounds' range", [.. costs.Select(cost => new PlotPoint(cost.Keys, cost.Milliseconds * scale / cost.Keys)
        {
            Low = cost.Sorted[0] * scale / cost.Keys,
            High = cost.Sorted[^1] * scale / cost.Keys,
        })]);
        var end = new PlotLine($"larger batches stop paying: {enough.Keys:N0} keys, within 10 % of the least", [new PlotPoint(enough.Keys, enough.Milliseconds * scale / enough.Keys)]);
        var panel = new Panel($"What a key costs in a batch on {name}", "keys in the batch", $"time of the batch ÷ keys ({unit})", Logarithmic: true, [line], [end]) { LogarithmicX = true };
        File.WriteAllText(file, PanelPlot.Svg(panel));
    }

    private static IEnumerable<int> Sizes(int limit)
    {
        for (var size = 1; size < limit; size *= 2)
            yield return size;
        yield return limit;
    }

    /// <summary>The median times of batches of one size, in milliseconds: one for each round, sorted.</summary>
    private readonly record struct SizeCost(int Keys, IReadOnlyList<double> Sorted)
    {
        public double Milliseconds => Sorted[Sorted.Count / 2];

        public double KeyMicroseconds => Milliseconds * 1_000 / Keys;
    }
}
