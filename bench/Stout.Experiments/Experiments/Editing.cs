using System.Text.Json.Nodes;
using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Replays real editing histories at the same time, each in a document of its own, and measures the latency of keystrokes and the store's load.
/// </summary>
internal sealed class Editing : IExperiment
{
    private static readonly EditingSettings[] Replays =
        [new(1, true), new(10, true), new(100, true), new(1, false), new(10, false), new(100, false)];

    private const double WholeFrom = 100;

    private static readonly TimeSpan LongestLive = TimeSpan.FromMinutes(5);

    public string Name => "editing";

    public string Title => "replay of editing histories at 1, 10 and 100 times their speed";

    public LawScope Scope => LawScope.Lane;

    public RealStoreUse OnRealStores => RealStoreUse.AsItIs;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var histories = HistoryFile.ReadFolder(context.Settings.Histories);
        var scenario = context.Constant(context.Law, 1) with { Tiers = 1, Warmup = TimeSpan.Zero };
        var runs = await Task.WhenAll(Replays.Select(replay =>
            context.ReplayAsync(CutFor(context, histories, replay), scenario, replay)));
        var table = new Table(
            new Column("speed"), new Column("subKeys"), new Column("keystrokes"), new Column("writesAsked"), new Column("writes"), new Column("requests"),
            new Column("bytes", "bytes"), new Column("keystrokesPerWrite"), new Column("meanMs", "ms"), new Column("p99Ms", "ms"), new Column("verified"));
        var rows = new JsonArray();
        foreach (var ((speed, subKeys), figures) in Replays.Zip(runs))
        {
            var run = figures.Run;
            table.Add(
                speed, subKeys, figures.Keystrokes, figures.WritesAsked, run.KeysSent, run.StoreRequests, run.BytesSent, (double)figures.Keystrokes / run.KeysSent,
                run.MeanMilliseconds, run.P99Milliseconds, figures.Verified);
            rows.Add(Summary(figures, new JsonObject { ["speed"] = speed, ["subKeys"] = subKeys }));
        }

        var (asWritten, fastest, whole) = (runs[0], runs[2], runs[3]);
        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("replays after which the store holds the end of every history (share)", "", (double)runs.Count(run => run.Verified) / runs.Length),
                new("bytes without sub-keys over those with, as fast as written", "", (double)whole.Run.BytesSent / asWritten.Run.BytesSent),
                new("a keystroke's mean latency, as fast as written", "ms", asWritten.Run.MeanMilliseconds),
                new("99 % of the keystrokes within, as fast as written", "ms", asWritten.Run.P99Milliseconds),
                new("keystrokes per write, a hundred times as fast", "", (double)fastest.Keystrokes / fastest.Run.KeysSent),
            ],
            Notes =
            [
                $"{histories.Count} histories: {string.Join(", ", histories.Select(history => $"{history.Name} ({history.Keystrokes.Count:N0})"))}; keystrokes in brackets. Pauses are cut to 1 s, steps back in time count as none, "
                + "histories without times run at 5 keystrokes/s.",
                "An author types on whether earlier keystrokes are durable or not. Documents are cut into sections of about 1 KiB; without sub-keys each write carries the whole document. The model's store takes its time by "
                + "the number of documents in a batch, not by their bytes.",
            ],
        };
        foreach (var (key, value) in Summary(asWritten, []))
            result.Summary[key] = value?.DeepClone();
        result.Summary["verified"] = runs.All(run => run.Verified);
        result.Summary["rows"] = rows;
        return result;
    }

    // Below 100 times the recorded speed, a replay of whole histories would take too long on a real store.
    private static IReadOnlyList<EditingHistory> CutFor(ExperimentContext context, IReadOnlyList<EditingHistory> histories, EditingSettings replay) =>
        context.Settings.OnModel || replay.Speed >= WholeFrom ? histories : [.. histories.Select(history => HistoryCut.Of(history, LongestLive))];

    private static JsonObject Summary(EditingFigures figures, JsonObject summary)
    {
        summary["keystrokes"] = figures.Keystrokes;
        summary["writes"] = figures.Run.KeysSent;
        summary["bytes"] = figures.Run.BytesSent;
        summary["meanMs"] = Json.Value(figures.Run.MeanMilliseconds);
        summary["p99Ms"] = Json.Value(figures.Run.P99Milliseconds);
        summary["verified"] = figures.Verified;
        return summary;
    }
}
