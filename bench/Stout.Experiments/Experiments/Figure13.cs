using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 13: latency over time on a store that pauses now and then, at a fixed interval.</summary>
internal sealed class Figure13 : IExperiment
{
    private const double MeanSecondsBetween = 300;
    private const double ShortestSeconds = 0.1;
    private const double LongestSeconds = 2.7;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    public string Name => "fig13";

    public string Title => "intermittent hiccups at a fixed interval of 2 ms, 3k writes/s";

    public LawScope Scope => LawScope.Process;

    public bool LawMatters => false;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var end = context.Seconds(7_200, 120);
        var pauses = Pauses(new Random(context.Settings.Seed), end, context.Pick(MeanSecondsBetween, 30)).ToList();
        var run = await context.RunAsync(Hiccups.Scenario(context, LawCatalogue.Fixed(2), StoreSpeed.Hiccups(pauses)) with { Duration = end });
        var table = new Table(new Column("run"), new Column("time", "s"), new Column("maxMs", "ms"));
        var largest = 0.0;
        for (var at = TimeSpan.Zero; at < end; at += Second)
        {
            var max = run.WritesOverTime.Max(at, at + Second);
            largest = Math.Max(largest, max);
            table.Add("fixed-2", at.TotalSeconds, max);
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("hiccups", "", pauses.Count),
                new("largest latency over the median", "", largest / run.Writes.PercentileMilliseconds(50), 1_000),
            ],
            Plots = [new("Largest latency in each second", "time", "maxMs", "run", Logarithmic: true)],
            Notes = ["When the model pauses, and for how long, is drawn at random: the paper did not find what its store's pauses depend on. It reports spikes of up to three orders of magnitude."],
        };
        result.Summary["hiccups"] = pauses.Count;
        result.Summary["largestMs"] = Json.Value(largest);
        return result;
    }

    // Draws pauses that do not overlap. The logarithms of their lengths are uniformly distributed.
    private static IEnumerable<(TimeSpan At, TimeSpan Length)> Pauses(Random random, TimeSpan end, double meanSecondsBetween)
    {
        var last = TimeSpan.FromSeconds(LongestSeconds);
        for (var at = TimeSpan.Zero; ;)
        {
            at += TimeSpan.FromSeconds(LongestSeconds - (meanSecondsBetween * Math.Log(1 - random.NextDouble())));
            if (at + last >= end)
                yield break;
            yield return (at, TimeSpan.FromSeconds(ShortestSeconds * Math.Pow(LongestSeconds / ShortestSeconds, random.NextDouble())));
        }
    }
}
