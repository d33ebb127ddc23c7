using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Latency over load, a curve for each policy: figures 6 to 9 and 12 of the paper.</summary>
internal static class CurveExperiment
{
    /// <summary>The columns of the least and the greatest mean of several rounds.</summary>
    public static readonly ErrorBar ErrorBar = new("meanLowMs", "meanHighMs");

    public static async Task<IReadOnlyList<CurvePoint>> RunAsync(ExperimentContext context, IEnumerable<Curve> curves, IReadOnlyList<double> loads)
    {
        var points = curves.SelectMany(curve => loads.Select(load => (Curve: curve, Load: load))).ToList();
        var figures = await context.RepeatAllAsync(points.Select(point => point.Curve.At(point.Load)));
        return [.. points.Zip(figures, static (point, rounds) => new CurvePoint(point.Curve.Name, point.Load, rounds))];
    }

    public static Table TableOf(ExperimentContext context, IReadOnlyList<CurvePoint> points)
    {
        // With one round the columns of the error bar would repeat the mean.
        var repeated = context.Settings.Rounds > 1;
        var table = new Table(
        [
            new Column("policy"), new Column("rate", "requests/s"), new Column("achieved", "requests/s"),
            new Column("meanMs", "ms"), new Column("p99Ms", "ms"), new Column("readMeanMs", "ms"), new Column("collapsed", "%"),
            new Column("batch", "documents"), new Column("littleRatio"), new Column("overloaded"),
            .. repeated ? [new Column(ErrorBar.Low, "ms"), new Column(ErrorBar.High, "ms")] : Array.Empty<Column>(),
        ]);
        foreach (var point in points)
        {
            var run = point.Run;
            table.Add(
            [
                point.Policy, point.Load, run.Achieved, run.MeanMilliseconds, run.P99Milliseconds, run.Reads.MeanMilliseconds, 100 * run.CollapsedShare,
                run.BatchSize, run.LittleRatio, point.Overloaded, .. repeated ? [point.Rounds.Means.Min(), point.Rounds.Means.Max()] : Array.Empty<object?>(),
            ]);
        }

        return table;
    }

    public static double MeanOf(IReadOnlyList<CurvePoint> points, string policy, double load) => PointOf(points, policy, load).Run.MeanMilliseconds;

    public static CurvePoint PointOf(IReadOnlyList<CurvePoint> points, string policy, double load) =>
        points.Single(point => point.Policy == policy && point.Load == load);

    /// <summary>A curve for one law.</summary>
    public static Curve Of(ExperimentContext context, PacingChoice law) => new(law.Name, load => context.Constant(law, load));
}

/// <summary>A curve over the load: a policy, such as a law or a fixed interval, and the policy's scenario at a load.</summary>
internal sealed record Curve(string Name, Func<double, Scenario> At)
{
    /// <summary>The same curve with the seed of a later round.</summary>
    public Curve InRound(int round) => this with { At = load => At(load).InRound(round) };
}

/// <summary>One point of a curve.</summary>
internal sealed record CurvePoint(string Policy, double Load, Rounds Rounds)
{
    /// <summary>The run of the median round.</summary>
    public RunFigures Run => Rounds.Median;

    public bool Overloaded => Rounds.Overloaded;
}
