using Stout.Experiments.Laws;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figures 8 and 9: adaptive against fixed intervals over all loads, for writes and for reads.</summary>
internal sealed class Figure8(bool reads) : IExperiment
{
    private const double LightLoad = 6_000;
    private const double ShortestInterval = 20;
    private const double LongestInterval = 160;

    private static readonly double[] Intervals = [ShortestInterval, 40, 80, LongestInterval];
    private static readonly double[] Loads = [5_000, LightLoad, 9_000, 12_000, 15_000, 18_000, 21_000, 24_000, 27_000, 30_000, 36_000, 41_000];

    public string Name => reads ? "fig9" : "fig8";

    public string Title => $"mean latency of {(reads ? "reads" : "writes")}, adaptive against fixed intervals";

    public LawScope Scope => LawScope.Process;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        Curve[] curves = [CurveExperiment.Of(context, context.Law), .. Intervals.Select(ms => CurveExperiment.Of(context, LawCatalogue.Fixed(ms)))];
        var points = await CurveExperiment.RunAsync(context, curves, context.Pick(Loads, [LightLoad, 24_000]));
        return reads ? ReadResult(points, context) : await WriteResultAsync(points, curves, context);
    }

    private static async Task<ExperimentResult> WriteResultAsync(IReadOnlyList<CurvePoint> points, Curve[] curves, ExperimentContext context)
    {
        var capacities = await CapacitySearch.HighestAsync(context, curves[..2], points, 60_000);
        var light = CurveExperiment.MeanOf(points, context.Law.Name, LightLoad);
        var longest = CurveExperiment.MeanOf(points, LawCatalogue.Fixed(LongestInterval).Name, LightLoad);
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(points),
            Headlines =
            [
                new("latency at 6k requests/s", "ms", light, 4.2, context.Because(Why.LightLoad)),
                new($"latency at 6k requests/s, fixed {LongestInterval} ms", "ms", longest, 144, Why.WholeInterval),
                new("the longest interval's latency over the law's at 6k", "", longest / light, 34, context.Because(Why.LightLoad)),
                new("highest rate", "requests/s", capacities[0], 41_000),
                new($"highest rate, fixed {ShortestInterval} ms", "requests/s", capacities[1], 12_000, Why.Store),
                new("the law's highest rate over the shortest interval's", "", capacities[0] / capacities[1], 41.0 / 12, context.Because(Why.Store)),
            ],
            Plots =
            [
                new(
                    "Mean write latency over load", "rate", "meanMs", "policy", Logarithmic: true,
                    new("Stout, in the paper", 6_000, 4.2), new("Stout, in the paper", 12_000, 50), new("Stout, in the paper", 18_000, 80),
                    new("Stout, in the paper", 24_000, 94), new("Stout, in the paper", 26_400, 100), new("fixed-160, in the paper", 6_000, 144)),
            ],
            Notes =
            [
                "Capacity is the highest rate at which waiting requests do not grow over a minute.",
                "The paper's own table 1 has 17k requests/s at 20 ms where its figure 8 has 12k: with the former the ratio of rates would be 2.4.",
            ],
        };
        result.Summary["latencyRatioAtLight"] = Json.Value(longest / light);
        result.Summary["throughputRatio"] = Json.Value(capacities[0] / capacities[1]);
        result.Summary["rows"] = CurveRows.Of(points);
        return result;
    }

    private static ExperimentResult ReadResult(IReadOnlyList<CurvePoint> points, ExperimentContext context)
    {
        var ours = points.Where(point => point.Policy == context.Law.Name && !point.Run.Overloaded).ToList();
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(points),
            Headlines = [new("reads' latency over writes', the highest at any load", "", ours.Max(p => p.Run.Reads.MeanMilliseconds / p.Run.MeanMilliseconds))],
            Plots = [new("Mean read latency over load", "rate", "readMeanMs", "policy")],
            Notes = ["Reads find everything in memory: they wait only where a change of their document is not durable yet."],
        };
        result.Summary["rows"] = CurveRows.Of(points);
        return result;
    }
}
