using System.Text.Json.Nodes;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Searches the reason why the queue of the paper's law grows without end when the load rises. Candidates are our reading of the law, the model's
/// pipelining, clients and documents, and the law itself. Each variant changes one or two of them.
/// </summary>
internal sealed class Runaway : IExperiment
{
    private const double Before = 12_000;
    private const double After = 18_000;
    private const double Light = 6_000;
    private const double Middle = 24_000;

    // The requests of a fifth of a second: more than wait at any load that the law carries well.
    private const int Population = (int)After / 5;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(2.7);

    private static readonly Variant[] Variants =
    [
        new("as read", Law("paper")),
        new("no least time per decision", Law("paper, MinLatencyFrac 0", p => p with { MinLatencyFraction = 0 })),
        new("α as the formula prints it", Law("paper, α = α_max", p => p with { AlphaPerMillisecond = 1 })),
        new("at most 4 requests in flight", Law("paper, 4 in flight", p => p with { MaxInFlight = 4 })),
        new($"clients that wait, {Population}", Law("paper"), s => s with { MostWaiting = Population }),
        new("ten times the documents", Law("paper"), TenTimesTheDocuments),
        new("no least time, ten times the documents", Law("paper, MinLatencyFrac 0", p => p with { MinLatencyFraction = 0 }), TenTimesTheDocuments),
    ];

    public string Name => "runaway";

    public string Title => "what makes the paper's law run away when 12k requests/s become 18k";

    public LawScope Scope => LawScope.Process;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var table = new Table(
            new Column("variant"), new Column("ranAway", "runs"), new Column("runs"), new Column("afterRiseMs", "ms"), new Column("at6kMs", "ms"), new Column("at24kMs", "ms"),
            new Column("longestIntervalAfterPauseMs", "ms"), new Column("recoverSeconds", "s"));
        var rows = new JsonArray();
        var measured = await Task.WhenAll(context.Pick(Variants, Variants[..2]).Select(variant => MeasureAsync(context, variant)));
        foreach (var row in measured)
        {
            table.Add(row.Variant.Name, row.RanAway, row.Runs, row.AfterRise, row.AtLight, row.AtMiddle, row.LongestInterval, row.Recover);
            rows.Add(new JsonObject { ["variant"] = row.Variant.Name, ["ranAway"] = row.RanAway, ["runs"] = row.Runs, ["afterRiseMs"] = Json.Value(row.AfterRise) });
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [.. measured.Select(row => new Headline($"runs of {row.Runs} that run away: {row.Variant.Name}", "", row.RanAway))],
            Notes =
            [
                "Each variant of the paper's law, whatever --law says: the rise with several seeds (median of the mean latency in the last third), a light and a middle load, and the pause of figure 14 "
                + "(one middle tier, 3k writes/s). The paper has 80 ms after the rise, 4.2 ms at 6k, 94 ms at 24k, an interval of 400 ms after the pause and half a minute to recover.",
                "The law waits half of the mean latency of a decision's requests before it decides (MinLatencyFrac). With a queue seconds deep it decides once in seconds; the queue grows by little from one decision to the "
                + "next, which looks like no loss of performance, so it accelerates into it.",
                "The formula prints α = MAX(EWMA(lat) × α′, α_max), which is at least ½: every back-off then lengthens the interval by half, and at light load latency is far from the paper's. The text's upper bound is right.",
                "A document has one write in flight at most here, which bounds the queue, while the paper pipelines writes of one document: ten times the documents come closer to that. Without the least time and with many documents "
                + "the law goes to 400 ms after the pause and takes about as long to recover as in the paper.",
                "\"Clients that wait\": no more than so many requests wait at a time, and what would come beyond is not asked.",
            ],
        };
        result.Summary["rows"] = rows;
        return result;
    }

    private static async Task<Row> MeasureAsync(ExperimentContext context, Variant variant)
    {
        var change = context.Seconds(30, 20);
        var end = change + context.Seconds(45, 20);
        var rises = context.RunAllAsync(Enumerable.Range(context.Settings.Seed, context.Pick(5, 2)).Select(seed => variant.In(context.Constant(variant.Law, Before) with
        {
            Load = LoadProfile.Step(Before, change, After),
            Duration = end,
            Warmup = change,
            Seed = seed,
        })));
        var light = context.RunAsync(variant.In(context.Constant(variant.Law, Light)));
        var middle = context.RunAsync(variant.In(context.Constant(variant.Law, Middle)));
        var pauseAt = context.Seconds(60, 30);
        var pauseEnd = pauseAt + context.Seconds(70, 50);
        var pause = await context.RunAsync(variant.In(Hiccups.Scenario(context, variant.Law, StoreSpeed.Hiccup(pauseAt, Pause)) with { Duration = pauseEnd }));
        var runs = await rises;
        return new Row(
            variant,
            runs.Count(run => run.GrowsAfter(change)),
            runs.Length,
            Spread.Median(runs.Select(run => Settling.Rest(run.WritesOverTime, change, end))),
            (await light).MeanMilliseconds,
            (await middle).MeanMilliseconds,
            pause.Intervals.Skip((int)(pause.Intervals.Count * (pauseAt / pauseEnd))).Max(),
            Recovery.Time(pause.WritesOverTime, pauseAt, pauseAt + Pause, pauseEnd)?.TotalSeconds);
    }

    private static Scenario TenTimesTheDocuments(Scenario scenario) => scenario with { Documents = 10 * scenario.Documents };

    private static PacingChoice Law(string name) => LawCatalogue.Find(name)!;

    private static PacingChoice Law(string name, Func<PaperLawParameters, PaperLawParameters> change) => new(name, _ => new PaperLaw(change(PaperLawParameters.SqlServer)));

    private sealed record Variant(string Name, PacingChoice Law, Func<Scenario, Scenario>? Change = null)
    {
        public Scenario In(Scenario scenario) => Change is null ? scenario : Change(scenario);
    }

    private sealed record Row(Variant Variant, int RanAway, int Runs, double AfterRise, double AtLight, double AtMiddle, double LongestInterval, double? Recover);
}
