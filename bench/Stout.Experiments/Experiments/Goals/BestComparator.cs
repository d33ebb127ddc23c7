using Stout.Experiments.Laws;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// Finds the comparator with the least latency on a random cell: a store, a load and clients. It tries no batching, windows of 1, 2 and 4 requests, and fixed
/// intervals.
/// </summary>
internal static class BestComparator
{
    private const double LeastInterval = 0.5;
    private const double MostInterval = 400;
    private const double Step = 2;
    private static readonly double FineStep = Math.Pow(Step, 1.0 / 3);

    private static readonly PacingChoice[] Others =
        [LawCatalogue.Find("window1")!, LawCatalogue.Find("window2")!, LawCatalogue.Find("window4")!, LawCatalogue.Fixed(0)];

    /// <summary>Chooses the comparator with the least mean latency, with one seed of the arrivals.</summary>
    public static PacingChoice Choose(RandomCell cell, int seed, CancellationToken cancellationToken)
    {
        var (best, least) = (Others[0], double.PositiveInfinity);
        foreach (var law in Others)
            Try(law);

        // The mean latency has one minimum over the interval. The search walks down to it by factors of 2, and then by factors of 2^(1/3).
        var known = new Dictionary<double, double>();
        var at = Math.Clamp(double.IsFinite(least) ? least : 32, LeastInterval, MostInterval);
        var step = Step;
        while (true)
        {
            var (shorter, longer) = (Math.Max(LeastInterval, at / step), Math.Min(MostInterval, at * step));
            var (here, left, right) = (Of(at), Of(shorter), Of(longer));
            // Overloaded runs are given up, with an infinite mean. If that happens at this interval and at the shorter one, both are too short.
            if (right < here || (double.IsInfinity(here) && double.IsInfinity(left) && at < MostInterval))
                at = longer;
            else if (left < here)
                at = shorter;
            else if (step == FineStep)
                return best;
            else
                step = FineStep;
        }

        double Of(double interval)
        {
            if (!known.TryGetValue(interval, out var mean))
                known[interval] = mean = Try(LawCatalogue.Fixed(interval));
            return mean;
        }

        double Try(PacingChoice law)
        {
            var run = CellRun.Of(cell, law, seed, CellLength.Choice, least, cancellationToken);
            if (run.MeanMilliseconds < least)
                (best, least) = (law, run.MeanMilliseconds);
            return run.MeanMilliseconds;
        }
    }
}
