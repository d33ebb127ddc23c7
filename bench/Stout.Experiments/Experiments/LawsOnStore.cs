using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Compares laws on a real store with the best fixed interval and with a window of one request. The ratios have 95 % intervals.</summary>
internal sealed class LawsOnStore : IExperiment
{
    private const double OverBestFixed = 1.15;
    private const double OverWindow1 = 1.05;

    /// <summary>Loads, as shares of what the store sustains.</summary>
    public static readonly double[] Shares = [0.1, 0.5, 0.9];

    public string Name => "laws";

    public string Title => "a pacing law over the best fixed interval and a window of 1, on a real store";

    public LawScope Scope => LawScope.Lane;

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        if (context.Settings.OnModel)
            throw new ExperimentException($"{Name} runs on a real store only: name one with --store.");
        var window1 = LawCatalogue.Find("window1")!;
        List<PacingChoice> laws = [.. new[] { context.Law, window1 }.Distinct()];
        var loads = await LawRounds.MeasureAsync(context, laws, context.Settings.Live.Share is { } share ? [share] : Shares);
        var table = new Table(
            new Column("law"), new Column("share", "% of capacity"), new Column("rate", "requests/s"), new Column("meanMs", "ms"), new Column("meanLowMs", "ms"), new Column("meanHighMs", "ms"),
            new Column("p99Ms", "ms"), new Column("intervalMs", "ms"), new Column("overBestFixed"), new Column("overBestFixedLow"), new Column("overBestFixedHigh"), new Column("atMost115"),
            new Column("overWindow1"), new Column("overWindow1Low"), new Column("overWindow1High"), new Column("atMost105"), new Column("overloaded"));
        var rows = new JsonArray();
        var headlines = new List<Headline>();
        foreach (var load in loads)
        {
            var best = load.BestFixed;
            foreach (var law in laws.Append(best))
            {
                var (rounds, overBest, overWindow) = (load.Of(law), load.Ratio(law, best), load.Ratio(law, window1));
                var (median, isBest, isWindow) = (rounds.Median, law == best, law == window1);
                table.Add(
                    isBest ? "best fixed" : law.Name, 100 * load.Share, load.Rate, median.MeanMilliseconds, rounds.Means.Min(), rounds.Means.Max(), median.P99Milliseconds, median.Intervals.TakeLast(4).Average(),
                    overBest.Ratio, isBest ? null : overBest.Low, isBest ? null : overBest.High, isBest ? null : NameOf(overBest.AtMost(OverBestFixed)),
                    overWindow.Ratio, isWindow ? null : overWindow.Low, isWindow ? null : overWindow.High, isWindow ? null : NameOf(overWindow.AtMost(OverWindow1)), rounds.Overloaded);
                rows.Add(Row(context, law, load, rounds, overBest, overWindow));
            }

            headlines.Add(Headlined($"{context.Law.Name} over the best fixed interval ({best.Name})", load.Ratio(context.Law, best), OverBestFixed));
            headlines.Add(Headlined($"{context.Law.Name} over a window of 1", load.Ratio(context.Law, window1), OverWindow1));

            Headline Headlined(string name, PairedRatio ratio, double goal) =>
                new(FormattableString.Invariant($"{name} at {100 * load.Share:0} % of capacity; goal {goal}: {NameOf(ratio.AtMost(goal))}"), "", ratio.Ratio) { Low = ratio.Low, High = ratio.High };
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Plots =
            [
                new("Latency over the best fixed interval's", "share", "overBestFixed", "law", Logarithmic: true) { ErrorBar = new("overBestFixedLow", "overBestFixedHigh") },
                new("Mean write latency over load", "share", "meanMs", "law", Logarithmic: true) { ErrorBar = CurveExperiment.ErrorBar },
            ],
            Notes =
            [
                LawRounds.Note(loads),
                "Ratios are of mean write latencies within a round: their geometric mean, and its 95 % interval by Student's distribution. A goal that lies within the interval is undecided. meanMs is the median of the rounds.",
            ],
        };
        result.Summary["rounds"] = loads[0].Count;
        result.Summary["rows"] = rows;
        return result;
    }

    private static string NameOf(Verdict verdict) => verdict.ToString().ToLowerInvariant();

    private static JsonObject Row(ExperimentContext context, PacingChoice law, LoadRounds load, Rounds rounds, PairedRatio overBest, PairedRatio overWindow) => new()
    {
        ["law"] = law.Name,
        ["store"] = context.Settings.Store,
        ["share"] = Json.Value(load.Share),
        ["rate"] = Json.Value(load.Rate),
        ["meanMs"] = Json.Value(rounds.Median.MeanMilliseconds),
        ["p99Ms"] = Json.Value(rounds.Median.P99Milliseconds),
        ["overBestFixed"] = Json.Value(overBest.Ratio),
        ["overBestFixedLow"] = Json.Value(overBest.Low),
        ["overBestFixedHigh"] = Json.Value(overBest.High),
        ["overWindow1"] = Json.Value(overWindow.Ratio),
        ["overWindow1Low"] = Json.Value(overWindow.Low),
        ["overWindow1High"] = Json.Value(overWindow.High),
        ["overloaded"] = rounds.Overloaded,
    };
}
