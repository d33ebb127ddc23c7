using System.Globalization;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Tells what an import took, and what it lacked.</summary>
internal static class ImportReport
{
    public static IEnumerable<string> Of(ServiceHistory history)
    {
        foreach (var source in history.Sources)
            yield return $"Took {source}";
        yield return FormattableString.Invariant($"{history.Steps:#,0} steps of {history.StepSeconds:0.###} s, from {Time(history.Start)} to {Time(history.End)}.");
        var rates = Enumerable.Range(0, history.Steps).Select(history.Rate).Where(double.IsFinite).ToList();
        yield return FormattableString.Invariant($"Load: {rates.Average():#,0.##} requests/s in the mean, {rates.Max():#,0.##} at most; {100 * ReadShare(history):0.#} % are reads. {(history.IsDivisible ? "Every server can take every request." : $"{history.Bins.Count} bins.")}");
        yield return history.Servers.Count == 0
            ? "Servers: none."
            : FormattableString.Invariant($"Servers: {history.Servers.Count}, with {history.Buckets.Count} latency buckets{(history.Buckets.Count > 0 ? FormattableString.Invariant($" from {history.Buckets[0] * 1000:0.###} to {history.Buckets[^1] * 1000:0.###} ms") : "")}.");
        var replicas = history.Replicas.Where(double.IsFinite).ToList();
        if (replicas.Count > 0)
            yield return FormattableString.Invariant($"Servers at once: {replicas.Min():0.#} to {replicas.Max():0.#}.");
        foreach (var lack in history.Lacks)
            yield return $"Lacks: {lack}";
    }

    private static double ReadShare(ServiceHistory history)
    {
        var (reads, writes) = (history.Bins.Sum(bin => bin.Reads.Where(double.IsFinite).Sum()), history.Bins.Sum(bin => bin.Writes.Where(double.IsFinite).Sum()));
        return reads + writes > 0 ? reads / (reads + writes) : 1;
    }

    private static string Time(DateTimeOffset time) => time.ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
