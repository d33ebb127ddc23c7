using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figures 8 and 9: the mean latency of writes (8) and of reads (9) at all loads, with an adaptive law and with fixed intervals.</summary>
internal sealed class Figure8(bool reads) : IExperiment
{
    private const double LightLoad = 6_000;
    private const double ShortestInterval = 20;
    private const double LongestInterval = 160;

    private static readonly double[] Intervals = [ShortestInterval, 40, 80, LongestInterval];
    private static readonly double[] Loads = [5_000, LightLoad, 9_000, 12_000, 15_000, 18_000, 21_000, 24_000, 27_000, 30_000, 36_000, 41_000];

    private const string OfSeeds = "Medians of the seeds; the spread is from the least to the greatest. Ratios are of runs with the same seed.";

    private static readonly string[] RealNotes =
    [
        "Medians of rounds in which everything ran in turn, in random order; the spread is from the least to the greatest. Ratios are of runs of the same round.",
        "The highest rate is what is answered while thousands of requests always wait.",
    ];

    // The loads on a real store: fewer, since runs take real time there.
    private static readonly double[] RealLoads = [LightLoad, 12_000, 24_000, 36_000];

    public string Name => reads ? "fig9" : "fig8";

    public string Title => $"mean latency of {(reads ? "reads" : "writes")}, adaptive against fixed intervals";

    public LawScope Scope => LawScope.Process;

    public RealStoreUse OnRealStores => RealStoreUse.AtSharesOfCapacity;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        Curve[] curves = [CurveExperiment.Of(context, context.Law), .. Intervals.Select(ms => CurveExperiment.Of(context, LawCatalogue.Fixed(ms)))];
        var points = await CurveExperiment.RunAsync(context, curves, [.. context.Pick(Loads, [LightLoad, 24_000], RealLoads).Select(context.Rate)]);
        return reads ? ReadResult(points, context) : await WriteResultAsync(points, curves, context);
    }

    private static async Task<ExperimentResult> WriteResultAsync(IReadOnlyList<CurvePoint> points, Curve[] curves, ExperimentContext context)
    {
        var capacities = await CapacitySearch.RoundsAsync(context, curves[..2], points, 60_000);
        var light = CurveExperiment.PointOf(points, context.Law.Name, context.Rate(LightLoad)).Rounds.Means;
        var longest = CurveExperiment.PointOf(points, LawCatalogue.Fixed(LongestInterval).Name, context.Rate(LightLoad)).Rounds.Means;
        var (latencyRatio, throughputRatio) = (Estimate.OfRatios(longest, light), Estimate.OfRatios(capacities[0], capacities[1]));
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(context, points),
            Headlines =
            [
                Headline.Of($"latency at {context.RateName(LightLoad)}", "ms", Estimate.Of(light), 4.2, context.Because(Why.LightLoad)),
                Headline.Of($"latency at {context.RateName(LightLoad)}, fixed {LongestInterval} ms", "ms", Estimate.Of(longest), 144, Why.WholeInterval),
                Headline.Of($"the longest interval's latency over the law's at {context.RateName(LightLoad)}", "", latencyRatio, 34, context.Because(Why.LightLoad)),
                Headline.Of("highest rate", "requests/s", Estimate.Of(capacities[0]), 41_000),
                Headline.Of($"highest rate, fixed {ShortestInterval} ms", "requests/s", Estimate.Of(capacities[1]), 12_000, Why.Store),
                Headline.Of("the law's highest rate over the shortest interval's", "", throughputRatio, 41.0 / 12, context.Because(Why.Store)),
            ],
            Plots =
            [
                new(
                    "Mean write latency over load", "rate", "meanMs", "policy", Logarithmic: true,
                    new("Stout, in the paper", 6_000, 4.2), new("Stout, in the paper", 12_000, 50), new("Stout, in the paper", 18_000, 80),
                    new("Stout, in the paper", 24_000, 94), new("Stout, in the paper", 26_400, 100), new("fixed-160, in the paper", 6_000, 144))
                { ErrorBar = context.Settings.Rounds > 1 ? CurveExperiment.ErrorBar : null },
            ],
            Notes =
            [
                .. context.Settings.OnModel
                    ?
                    [
                        .. context.Settings.Rounds > 1 ? [OfSeeds] : Array.Empty<string>(),
                        "Capacity is the highest rate at which waiting requests do not grow over a minute.",
                        "The paper's own table 1 has 17k requests/s at 20 ms where its figure 8 has 12k: with the former the ratio of rates would be 2.4.",
                    ]
                    : RealNotes,
            ],
        };
        result.Summary["latencyRatioAtLight"] = Json.Value(latencyRatio.Value);
        result.Summary["throughputRatio"] = Json.Value(throughputRatio.Value);
        result.Summary["rows"] = CurveRows.Of(points);
        return result;
    }

    private static ExperimentResult ReadResult(IReadOnlyList<CurvePoint> points, ExperimentContext context)
    {
        var ours = points.Where(point => point.Policy == context.Law.Name && !point.Overloaded).ToList();
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(context, points),
            Headlines = [new("reads' latency over writes', the highest at any load", "", ours.Max(p => p.Run.Reads.MeanMilliseconds / p.Run.MeanMilliseconds))],
            Plots = [new("Mean read latency over load", "rate", "readMeanMs", "policy")],
            Notes = ["Reads find everything in memory: they wait only where a change of their document is not durable yet."],
        };
        result.Summary["rows"] = CurveRows.Of(points);
        return result;
    }
}
