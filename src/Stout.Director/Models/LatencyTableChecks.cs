namespace Stout.Director.Models;

/// <summary>Checks that the numbers of a latency table can be used.</summary>
internal static class LatencyTableChecks
{
    /// <exception cref="ModelException">The table can't be used.</exception>
    public static void Check(this LatencyTable table, string type)
    {
        var (loads, thresholds) = (table.Loads.Count, table.Thresholds.Count);
        if (loads < 2 || thresholds < 1 || !Ascends(table.Loads) || !Ascends(table.Thresholds) || !(table.Loads[0] >= 0 && table.Thresholds[0] > 0))
            throw new ModelException($"The latencies of {type} need at least two loads and one threshold, each ascending.");
        if (!IsWhole(table.SlowAtOne) || !IsWhole(table.SlowAtTwo))
            throw new ModelException($"The latencies of {type} need {loads} rows of {thresholds} shares from 0 to 1.");
        if (table.Dispersion.Count != loads || !table.Dispersion.All(one => one >= 0 && double.IsFinite(one)) || !(table.Saturation > 0 && table.LongestQueue > 0 && table.CopyShare > 0)
            || !double.IsFinite(table.Saturation + table.LongestQueue + table.CopyShare))
        {
            throw new ModelException($"The latencies of {type} need {loads} finite dispersions, and saturation, longest queue and copy share above 0.");
        }

        bool IsWhole(IReadOnlyList<IReadOnlyList<double>> rows) => rows.Count == loads && rows.All(row => row.Count == thresholds && row.All(share => share is >= 0 and <= 1));
    }

    private static bool Ascends(IReadOnlyList<double> values) => values.All(double.IsFinite) && values.Zip(values.Skip(1)).All(pair => pair.First < pair.Second);
}
