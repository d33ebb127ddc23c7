using Stout.Experiments.Measuring;

namespace Stout.Experiments.Experiments;

/// <summary>Runs of one scenario, one in each round, each with a seed of its own.</summary>
internal sealed class Rounds(IReadOnlyList<RunFigures> runs)
{
    public IReadOnlyList<RunFigures> Runs => runs;

    /// <summary>The run with the median of the mean write latencies.</summary>
    public RunFigures Median { get; } = runs.OrderBy(Mean).ElementAt(runs.Count / 2);

    /// <summary>One of the rounds alone.</summary>
    public Rounds Only(int round) => new([runs[round]]);

    public IReadOnlyList<double> Means => [.. runs.Select(Mean)];

    public IReadOnlyList<double> Achieved => [.. runs.Select(run => run.Achieved)];

    public Estimate Estimate(Func<RunFigures, double> figure) => Measuring.Estimate.Of([.. runs.Select(figure)]);

    /// <summary>Whether most of the runs are overloaded.</summary>
    public bool Overloaded => 2 * runs.Count(run => run.Overloaded) > runs.Count;

    // A run in which no write was answered counts as slower than any other.
    private static double Mean(RunFigures run) => double.IsNaN(run.MeanMilliseconds) ? double.PositiveInfinity : run.MeanMilliseconds;
}
