using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Fitting;

/// <summary>Fits the latency by load of a service's servers to its history.</summary>
internal static class ProductionTrainer
{
    private const int LeastClasses = 3;
    private const int Saturations = 200;
    private const double HighestSaturation = 20;

    // Curves whose error exceeds the best one's by twice its standard error are excluded. The errors of one load's buckets depend on each other, so that each load
    // counts once. The error is never taken to be smaller than a thousandth.
    private const double LeastError = 1e-3;
    private const double Deviations = 4;

    // The cost of a write can be told if its share of the requests varies by this much.
    private const double LeastVariation = 0.05;

    private static readonly int[] SlotCounts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64];
    private static readonly double[] Steadinesses = [0.5, 1, 2];
    private static readonly double[] WriteCosts = [0.25, 0.5, 1, 2, 4];

    /// <summary>Fits a history.</summary>
    /// <exception cref="HistoryException">The history has no latency, or too few loads.</exception>
    public static ProductionFit Train(ServiceHistory history)
    {
        var samples = ServerSamples.Of(history);
        var shares = samples.Select(sample => sample.Writes / Math.Max(sample.Reads + sample.Writes, 1e-9)).ToList();
        var mean = shares.Average();
        var knowsWrites = Math.Sqrt(shares.Average(share => (share - mean) * (share - mean))) >= LeastVariation;
        var costs = knowsWrites ? WriteCosts : [1.0];
        return costs.Select(cost => Fit(history, samples, cost)).MinBy(fit => fit.Error)! with { KnowsWrites = knowsWrites };
    }

    private static ProductionFit Fit(ServiceHistory history, List<LoadSampleOfServer> samples, double writeCost)
    {
        var classes = LoadClass.Of(samples, writeCost);
        if (classes.Count < LeastClasses)
            throw new HistoryException($"The servers of the history had {classes.Count} different loads, in twentieths of the highest; at least {LeastClasses} are needed to fit latency by load.");
        var idle = Idle(classes[0].Slow);
        var highest = classes[^1].Load;
        var curves = Enumerable.Range(0, Saturations)
            .Select(i => highest * 1.01 * Math.Pow(HighestSaturation, (double)i / (Saturations - 1)))
            .Select(saturation => SlotCounts.SelectMany(slots => Steadinesses.Select(steadiness => new QueueCurve(saturation, slots, steadiness, history.Buckets, idle)))
                .Select(curve => (Curve: curve, Error: SquaredError(curve, classes))).MinBy(pair => pair.Error))
            .ToList();
        var best = curves.MinBy(pair => pair.Error);
        var points = classes.Count * history.Buckets.Count;
        var bound = best.Error + Math.Max(Deviations * best.Error / classes.Count, Deviations * LeastError * LeastError * history.Buckets.Count);
        var possible = curves.Where(pair => pair.Error <= bound).Select(pair => pair.Curve).ToList();
        var fit = new ProductionFit(classes, writeCost, possible[0], best.Curve, possible[^1], Math.Sqrt(best.Error / points));
        // If no load made reads slower, every high saturation fits: the least one is taken.
        return fit.IsBounded ? fit : fit with { Best = fit.Low };
    }

    private static double[] Idle(double[] slow) =>
        [.. slow.Select((share, i) => (i == 0 ? 1 : slow[i - 1]) - share), slow[^1]];

    // Arcsine square roots have the same variance for all shares.
    private static double SquaredError(QueueCurve curve, List<LoadClass> classes)
    {
        var sum = 0.0;
        foreach (var one in classes)
        {
            var fitted = curve.Slow(one.Load);
            for (var i = 0; i < fitted.Length; i++)
                sum += Math.Pow(Math.Asin(Math.Sqrt(fitted[i])) - Math.Asin(Math.Sqrt(one.Slow[i])), 2);
        }

        return sum;
    }
}
