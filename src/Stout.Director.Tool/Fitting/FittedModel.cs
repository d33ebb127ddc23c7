using Stout.Director.Models;

namespace Stout.Director.Tool.Fitting;

/// <summary>Makes a model file of a fit, for an objective.</summary>
internal static class FittedModel
{
    private const int BeyondMeasured = 16;
    private const double NearSaturation = 0.995;

    // A client gives up after 1 s; a copy at 4 MB/s takes a fifth of its target: a history tells neither.
    private const double LongestQueue = 1;
    private const double CopyShare = 0.2 / 4e6;

    // The highest variance of the share of slow reads, relative to its square, from one sample to the next.
    private const double MostVariance = 4;

    /// <summary>The load in reads per second at which the objective begins to be violated.</summary>
    /// <exception cref="ModelException">The threshold lies outside the buckets, or no load meets the objective.</exception>
    public static double Boundary(ProductionFit fit, QueueCurve curve, ServiceObjective objective)
    {
        var (bounds, threshold) = (curve.Bounds, objective.Threshold.TotalSeconds);
        if (threshold < bounds[0] || threshold > bounds[^1])
            throw new ModelException(FormattableString.Invariant($"The history has latencies from {bounds[0] * 1000:0.###} to {bounds[^1] * 1000:0.###} ms; the threshold is {threshold * 1000:0.###} ms."));
        if (At(bounds, fit.Slow(curve, 0), threshold) is var slow && slow > objective.SlowBudget)
            throw new ModelException(FormattableString.Invariant($"The servers of the history do not meet \"{objective}\" even at their lowest load: {100 - 100 * slow:0.##} % of the reads are that fast. Give another objective with --slo."));
        double low = 0, high = curve.Saturation;
        for (var step = 0; step < 60; step++)
        {
            var middle = (low + high) / 2;
            if (At(bounds, fit.Slow(curve, middle), threshold) > objective.SlowBudget)
                high = middle;
            else
                low = middle;
        }

        return low;
    }

    /// <summary>The model file. The server's memory is not known, and taken to suffice for every bin.</summary>
    public static ModelFile Of(ProductionFit fit, QueueCurve curve, ServiceObjective objective, string name, double price, double stepSeconds)
    {
        var boundary = Boundary(fit, curve, objective);
        var first = Math.Min(fit.HighestLoad, curve.Saturation * NearSaturation);
        var loads = fit.Classes.Select(one => one.Load).Where(load => load < first)
            .Concat(Enumerable.Range(0, BeyondMeasured + 1).Select(i => first + (curve.Saturation * NearSaturation - first) * i / BeyondMeasured))
            .Prepend(0).Distinct().Order().ToList();
        var rows = loads.Select(load => fit.Slow(curve, load)).ToList();
        var threshold = objective.Threshold.TotalSeconds;
        return new ModelFile
        {
            Objective = objective.ToString(),
            Asked = 1,
            Type = new ServerType
            {
                Name = name,
                SteadyState = new SteadyStateModel
                {
                    CostOfGet = 1 / boundary,
                    CostOfPut = fit.WriteCost / boundary,
                    Trained = new LoadRange(fit.HighestLoad, fit.HighestLoad / fit.WriteCost),
                    Samples = fit.Classes.Sum(one => one.Samples),
                    Accuracy = (double)fit.Classes.Where(one => one.Load > boundary == At(curve.Bounds, one.Slow, threshold) > objective.SlowBudget).Sum(one => one.Samples) / fit.Classes.Sum(one => one.Samples),
                },
                Copies = new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] },
                Memory = long.MaxValue / 2,
                Price = price,
            },
            Latencies = new LatencyTable
            {
                Loads = [.. loads.Select(load => load / boundary)],
                Thresholds = curve.Bounds,
                SlowAtOne = rows,
                SlowAtTwo = [.. rows.Select(row => row.Select(share => share * share).ToArray())],
                Dispersion = [.. loads.Select(load => Dispersion(fit, curve, load, threshold) * stepSeconds)],
                Saturation = curve.Saturation / boundary,
                LongestQueue = LongestQueue,
                CopyShare = CopyShare,
            },
        };
    }

    /// <summary>The share of reads slower than a threshold, between the bounds of buckets.</summary>
    public static double At(IReadOnlyList<double> bounds, double[] slow, double threshold)
    {
        for (var i = 0; i < bounds.Count; i++)
        {
            if (threshold > bounds[i])
                continue;
            if (i == 0 || threshold == bounds[i])
                return slow[i];
            // Shares fall about exponentially as the threshold grows.
            var part = (threshold - bounds[i - 1]) / (bounds[i] - bounds[i - 1]);
            return slow[i] > 0 ? slow[i - 1] * Math.Pow(slow[i] / slow[i - 1], part) : slow[i - 1] * (1 - part);
        }

        return slow[^1];
    }

    private static double Dispersion(ProductionFit fit, QueueCurve curve, double load, double threshold)
    {
        var nearest = fit.Classes.MinBy(one => Math.Abs(one.Load - load))!;
        var bucket = Enumerable.Range(0, curve.Bounds.Count).First(i => threshold <= curve.Bounds[i]);
        var mean = nearest.Slow[bucket];
        return mean > 0 ? Math.Min(nearest.Variance[bucket] / (mean * mean), MostVariance) : 0;
    }
}
