namespace Stout.Director.Tool.Histories;

/// <summary>Checks that the series of a history fit together.</summary>
internal static class HistoryChecks
{
    /// <summary>The most steps of a history.</summary>
    public const int MostSteps = 10_000_000;

    /// <exception cref="HistoryException">They do not.</exception>
    public static void Check(ServiceHistory history, string name)
    {
        void Require(bool holds, string what)
        {
            if (!holds)
                throw new HistoryException($"{name}: {what}");
        }

        Require(history.Format == ServiceHistory.FormatName, $"the format is \"{history.Format}\", not \"{ServiceHistory.FormatName}\".");
        Require(history.Version == ServiceHistory.CurrentVersion, $"the version is {history.Version}; this tool reads version {ServiceHistory.CurrentVersion}. Import the telemetry anew.");
        Require(IsStep(history.StepSeconds), FormattableString.Invariant($"a step has {history.StepSeconds} s; it has to be from 1 s to a day."));
        Require(history.Steps is > 0 and <= MostSteps, $"{history.Steps} steps; at least 1 and at most {MostSteps} are needed.");
        Require(history.Bins.Count > 0, "there is no load.");
        Require(history.Buckets.All(bound => double.IsFinite(bound) && bound > 0) && history.Buckets.Zip(history.Buckets.Skip(1)).All(pair => pair.First < pair.Second), "the buckets have to be above 0 and ascend.");
        void Series(double[]? values, string of) => Require(
            values is null || (values.Length == history.Steps && values.All(value => double.IsNaN(value) || (value >= 0 && double.IsFinite(value)))),
            $"{of} has to be {history.Steps} numbers of at least 0, or null where a number is unknown.");
        Series(history.Replicas, "the number of servers");
        foreach (var bin in history.Bins)
        {
            Series(bin.Reads, $"the reads of bin \"{bin.Name}\"");
            Series(bin.Writes, $"the writes of bin \"{bin.Name}\"");
            Require(bin.Bytes >= 0, $"the size of bin \"{bin.Name}\" is negative.");
        }

        foreach (var server in history.Servers)
        {
            Series(server.Reads, $"the reads of server \"{server.Name}\"");
            Series(server.Writes, $"the writes of server \"{server.Name}\"");
            Series(server.Count, $"the count of \"{server.Name}\"");
            Series(server.Utilization, $"the utilization of server \"{server.Name}\"");
            Require(
                server.Latency is null || (server.Latency.Length == history.Steps && server.Latency.All(row => row is null || (row.Length == history.Buckets.Count + 1 && row.All(count => count >= 0 && double.IsFinite(count))))),
                $"the latency of server \"{server.Name}\" has to be {history.Steps} rows, each null or {history.Buckets.Count + 1} numbers of at least 0.");
        }
    }

    /// <summary>Whether a length in seconds can be a step.</summary>
    public static bool IsStep(double seconds) => seconds is >= 1 and <= 86_400;
}
