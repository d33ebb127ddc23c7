namespace Stout.Director.Models;

/// <summary>
/// Makes a latency table from measurements of a real cluster, so that the flow simulation can simulate that cluster. The table assumes that latency
/// does not vary from second to second, and that two servers are slow independently of each other.
/// </summary>
internal static class LatencyTableTrainer
{
    // Loads that round to the same tenth of the boundary are one entry.
    private const double Step = 0.1;

    // A client gives up after 1 s; a copy at 4 MB/s takes a fifth of its target. Both values are those of the simulated m1.small.
    private const double LongestQueue = 1;
    private const double CopyShare = 0.2 / 4e6;

    /// <summary>Makes a table. Beyond the highest measured load every read counts as slow.</summary>
    /// <param name="model">The steady-state model of the same servers.</param>
    /// <param name="thresholds">Thresholds in seconds, ascending. At least one.</param>
    /// <param name="samples">Measurements, at least at two loads that differ by a tenth of the boundary.</param>
    /// <param name="asked">The number of servers that each read was sent to: 1 or 2. Default: 2.</param>
    /// <returns>The table.</returns>
    /// <exception cref="ModelException">Thresholds, shares or the number of servers are out of range, or the loads are too few.</exception>
    public static LatencyTable Train(SteadyStateModel model, IReadOnlyList<double> thresholds, IReadOnlyList<LatencySample> samples, int asked = 2)
    {
        if (thresholds.Count == 0 || !(thresholds[0] > 0) || !thresholds.All(double.IsFinite) || thresholds.Zip(thresholds.Skip(1)).Any(pair => pair.First >= pair.Second))
            throw new ModelException("Latency thresholds have to be finite, above 0 and ascending.");
        if (asked is not (1 or 2))
            throw new ModelException($"Each read was sent to {asked} servers; a latency table is made for 1 or 2.");
        if (samples.Any(sample => sample.Slow.Count != thresholds.Count || sample.Slow.Any(share => !(share >= 0 && share <= 1))))
            throw new ModelException($"Each latency sample needs {thresholds.Count} shares from 0 to 1.");

        var (loads, rows) = (new List<double>(), new List<double[]>());
        var worst = new double[thresholds.Count];
        foreach (var group in samples.GroupBy(sample => Math.Round(model.Utilization(sample.Gets, sample.Puts) / Step)).OrderBy(group => group.Key))
        {
            loads.Add(group.Average(sample => model.Utilization(sample.Gets, sample.Puts)));
            // The shares must not fall as the load grows. Measurements of rare slow reads may fall by noise.
            worst = [.. worst.Select((share, i) => Math.Max(share, group.Average(sample => sample.Slow[i])))];
            rows.Add(worst);
        }

        if (loads.Count < 2)
            throw new ModelException("A latency table needs measurements at two loads that differ by a tenth of the boundary, or more.");
        return new LatencyTable
        {
            Loads = loads,
            Thresholds = [.. thresholds],
            SlowAtOne = asked == 1 ? rows : Each(rows, Math.Sqrt),
            SlowAtTwo = asked == 2 ? rows : Each(rows, share => share * share),
            Dispersion = new double[loads.Count],
            Saturation = loads[^1],
            LongestQueue = LongestQueue,
            CopyShare = CopyShare,
        };
    }

    private static IReadOnlyList<IReadOnlyList<double>> Each(List<double[]> rows, Func<double, double> change) => [.. rows.Select(row => row.Select(change).ToArray())];
}
