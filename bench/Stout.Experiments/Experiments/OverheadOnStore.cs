using System.Text.Json.Nodes;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 10 on a real store: the best fixed interval is found in the same rounds in which the law is measured.</summary>
internal static class OverheadOnStore
{
    public static async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var loads = await LawRounds.MeasureAsync(context, [context.Law], LawsOnStore.Shares);
        var table = new Table(
            new Column("law"), new Column("share", "% of capacity"), new Column("rate", "requests/s"), new Column("bestFixedIntervalMs", "ms"), new Column("bestFixedMs", "ms"), new Column("adaptiveMs", "ms"),
            new Column("overhead"), new Column("overheadLow"), new Column("overheadHigh"), new Column("adaptiveP99Ms", "ms"), new Column("overloaded"));
        var rows = new JsonArray();
        var headlines = new List<Headline>();
        foreach (var load in loads)
        {
            var (fixedRounds, adaptive) = (load.Of(load.BestFixed), load.Of(context.Law));
            var ratio = load.Ratio(context.Law, load.BestFixed);
            var interval = Laws.LawCatalogue.IntervalOf(load.BestFixed)!.Value;
            table.Add(
                context.Law.Name, 100 * load.Share, load.Rate, interval, fixedRounds.Median.MeanMilliseconds, adaptive.Median.MeanMilliseconds, ratio.Ratio - 1, ratio.Low - 1, ratio.High - 1,
                adaptive.Median.P99Milliseconds, adaptive.Overloaded);
            rows.Add(new JsonObject
            {
                ["rate"] = Json.Value(load.Rate),
                ["bestFixedIntervalMs"] = interval,
                ["bestFixedMs"] = Json.Value(fixedRounds.Median.MeanMilliseconds),
                ["adaptiveMs"] = Json.Value(adaptive.Median.MeanMilliseconds),
                ["overhead"] = Json.Value(ratio.Ratio - 1),
            });
            headlines.Add(new(FormattableString.Invariant($"overhead at {100 * load.Share:0} % of capacity, over {load.BestFixed.Name}"), "", ratio.Ratio - 1) { Low = ratio.Low - 1, High = ratio.High - 1 });
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Plots = [new("Overhead over the best fixed interval", "share", "overhead", "law") { ErrorBar = new("overheadLow", "overheadHigh") }],
            Notes = ["Overhead is a share: 0.18 is 18 % above the best fixed interval. Geometric mean of the rounds, paired, with its 95 % interval.", LawRounds.Note(loads)],
        };
        result.Summary["rows"] = rows;
        return result;
    }
}
