using Stout.Experiments.Measuring;
using Stout.Experiments.Output;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Adds a run over time to a table. A row has the run's name, the second, the mean write latency, and the mean batching interval of all lanes.
/// </summary>
internal static class TimeTable
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(1);

    /// <summary>Adds the rows of all rounds, each as a series of its own.</summary>
    public static void Add(Table table, string name, Rounds rounds, TimeSpan end)
    {
        for (var i = 0; i < rounds.Runs.Count; i++)
            Add(table, rounds.Runs.Count == 1 ? name : $"{name}, round {i + 1}", rounds.Runs[i], end);
    }

    public static void Add(Table table, string name, RunFigures run, TimeSpan end)
    {
        var perStep = run.Intervals.Count / (end / Step);
        for (var (at, i) = (TimeSpan.Zero, 0); at < end; at += Step, i++)
            table.Add(name, at.TotalSeconds, run.WritesOverTime.Mean(at, at + Step), run.Intervals[(int)(i * perStep)]);
    }
}
