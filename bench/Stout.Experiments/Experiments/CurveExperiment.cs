using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Latency over load, a curve for each policy: figures 6 to 9 and 12 of the paper.</summary>
internal static class CurveExperiment
{
    public static async Task<IReadOnlyList<CurvePoint>> RunAsync(ExperimentContext context, IEnumerable<Curve> curves, IReadOnlyList<double> loads)
    {
        var points = curves.SelectMany(curve => loads.Select(load => (Curve: curve, Load: load))).ToList();
        var figures = await context.RunAllAsync(points.Select(point => point.Curve.At(point.Load)));
        return [.. points.Zip(figures, static (point, run) => new CurvePoint(point.Curve.Name, point.Load, run))];
    }

    public static Table TableOf(IReadOnlyList<CurvePoint> points)
    {
        var table = new Table(
            new Column("policy"), new Column("rate", "requests/s"), new Column("achieved", "requests/s"),
            new Column("meanMs", "ms"), new Column("p99Ms", "ms"), new Column("readMeanMs", "ms"), new Column("collapsed", "%"),
            new Column("batch", "documents"), new Column("littleRatio"), new Column("overloaded"));
        foreach (var (policy, load, run) in points)
        {
            table.Add(
                policy, load, run.Achieved, run.MeanMilliseconds, run.P99Milliseconds, run.Reads.MeanMilliseconds, 100 * run.CollapsedShare,
                run.BatchSize, run.LittleRatio, run.Overloaded);
        }

        return table;
    }

    public static double MeanOf(IReadOnlyList<CurvePoint> points, string policy, double load) =>
        points.Single(point => point.Policy == policy && point.Load == load).Run.MeanMilliseconds;

    /// <summary>A curve for one law.</summary>
    public static Curve Of(ExperimentContext context, PacingChoice law) => new(law.Name, load => context.Constant(law, load));
}

/// <summary>A policy, and its scenario at a load.</summary>
internal sealed record Curve(string Name, Func<double, Scenario> At);

/// <summary>One point of a curve.</summary>
internal sealed record CurvePoint(string Policy, double Load, RunFigures Run);
