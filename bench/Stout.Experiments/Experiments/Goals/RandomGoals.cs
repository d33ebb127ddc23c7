using System.Globalization;
using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Output;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>Compares a law with the best comparator, on stores, loads and clients that are drawn at random.</summary>
internal sealed class RandomGoals(ExperimentContext context)
{
    private const double HighLoad = 0.9;
    private const int GrowthSeeds = 3;
    private const int WorstShown = 10;

    private readonly RandomSettings _random = context.Settings.Random!;
    private readonly int _seed = context.Settings.Seed;
    private readonly KnownComparators _known = new(context.Settings.Random!.Comparators);

    private CellLength Length => _random.Drift ? CellLength.Long : CellLength.Measured;

    public async Task<ExperimentResult> RunAsync()
    {
        var results = await Task.WhenAll(Enumerable.Range(1, _random.Count).Select(number => context.RunAsync(() => Run(Cell(number)))));
        var table = new Table(
            new Column("cell"), new Column("description"), new Column("load"), new Column("rate", "/s"), new Column("comparator"), new Column("comparatorMs", "ms"),
            new Column("lawMs", "ms"), new Column("ratio"), new Column("lastThird"), new Column("grows"), new Column("intervalMs", "ms"));
        foreach (var one in results)
        {
            table.Add(one.Cell.Number, one.Cell.Description, one.Cell.Load, one.Cell.Rate, one.Comparator.Law, one.Comparator.MeanMilliseconds, one.Law.MeanMilliseconds, one.Ratio,
                one.Law.LastThird, one.Grows, one.Law.Interval);
        }

        var ratios = results.Select(one => one.Ratio).Order().ToList();
        var below = results.Where(one => one.Cell.Load < HighLoad).ToList();
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = _random.Drift
                ?
                [
                    new("cells", "", results.Length),
                    new("the greatest last third over the middle third", "", results.Max(one => one.Law.LastThird)),
                    new("cells above 1.1", "", results.Count(one => one.Law.LastThird > 1.1)),
                    new("geometric mean of the last third over the middle third", "", GeometricMean(results.Select(one => one.Law.LastThird))),
                ]
                :
                [
                    new("cells", "", results.Length),
                    new("geometric mean over the best comparator", "", GeometricMean(ratios)),
                    new("95th percentile", "", ratios[(int)Math.Ceiling(0.95 * ratios.Count) - 1]),
                    new("worst below 90 % load", "", below.Count == 0 ? null : below.Max(one => one.Ratio)),
                    new("worst", "", ratios[^1]),
                    new("queues that grow at up to 90 % load", "", below.Count(one => one.Grows)),
                    new("queues that grow above", "", results.Count(one => one.Grows) - below.Count(one => one.Grows)),
                ],
            Notes =
            [
                "Mean write latency from the intended start, after the first third of a run. The comparator is the best of all fixed intervals, no batching and windows 1, 2 and 4 by one seed of arrivals, and is measured, as the law, with another.",
                "A queue grows where the last third's mean is above one and a half times the middle third's with each of three seeds, and the comparator's is not.",
                .. results.OrderByDescending(one => _random.Drift ? one.Law.LastThird : one.Ratio).Take(WorstShown).Select(Worst),
            ],
        };
        result.Summary["cells"] = new JsonArray([.. ratios.Select(ratio => Json.Value(ratio))]);
        return result;
    }

    private RandomCell Cell(int number)
    {
        var cell = RandomCell.Draw(_seed, number);
        return _random.Waiting ? cell.WithWaitingClients(_seed) : cell;
    }

    private Result Run(RandomCell cell)
    {
        var token = context.CancellationToken;
        // The seeds of runs depend on the cell and not on the seed of the draw, so each cell has arrivals of its own.
        var (choosing, measuring) = ((10 * cell.Number) + 1, (10 * cell.Number) + 2);
        Comparator comparator = _random.Drift
            ? new("", double.NaN)
            : _known.Get(_seed, cell.Number, () =>
            {
                var chosen = BestComparator.Choose(cell, choosing, token);
                return new Comparator(chosen.Name, CellRun.Of(cell, chosen, measuring, Length, double.PositiveInfinity, token).MeanMilliseconds);
            });
        var law = CellRun.Of(cell, context.Law, measuring, Length, double.PositiveInfinity, token);
        // Growth does not count if the comparator's mean grows too: a pause of the store in the last third makes every law's mean grow.
        var grows = law.Grows && GrowsAfter(1, context.Law) && !(LawCatalogue.Find(comparator.Law) is { } other && GrowsAfter(0, other));
        return new Result(cell, comparator, law, grows);

        bool GrowsAfter(int first, PacingChoice choice) => Enumerable.Range(first, GrowthSeeds - first).All(
            seed => CellRun.Of(cell, choice, measuring + seed, Length, double.PositiveInfinity, token).Grows);
    }

    private static string Worst(Result one) => string.Create(
        CultureInfo.InvariantCulture,
        $"Cell {one.Cell.Number}: {one.Ratio:0.00} times {one.Comparator.MeanMilliseconds:0.00} ms of {one.Comparator.Law}, interval {one.Law.Interval:0.0} ms, last third {one.Law.LastThird:0.00}{(one.Grows ? ", grows" : "")}; load {one.Cell.Load:0.00}, {one.Cell.Rate:0}/s, {one.Cell.Description}");

    private static double GeometricMean(IEnumerable<double> ratios) => Math.Exp(ratios.Average(Math.Log));

    private sealed record Result(RandomCell Cell, Comparator Comparator, CellRun Law, bool Grows)
    {
        public double Ratio => Law.MeanMilliseconds / Comparator.MeanMilliseconds;
    }
}

/// <summary>The options of <c>goals --random</c>.</summary>
/// <param name="Count">The number of cells.</param>
/// <param name="Drift">Whether runs last 900 s of virtual time, without a comparator.</param>
/// <param name="Comparators">The file that keeps the comparators and their latencies for a later run with the same seed; null: they are searched anew.</param>
/// <param name="Waiting">Whether clients wait for their replies. Else the arrivals are open.</param>
internal sealed record RandomSettings(int Count, bool Drift, FileInfo? Comparators, bool Waiting = false);

/// <summary>The name of a law that the measured law is compared with, and its mean write latency.</summary>
internal sealed record Comparator(string Law, double MeanMilliseconds);
