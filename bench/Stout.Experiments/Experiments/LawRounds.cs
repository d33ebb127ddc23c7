using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Compares laws with fixed intervals on a real store, at shares of its sustained rate. Each round runs all of them in random order, and measures the
/// sustained rate anew.
/// </summary>
internal static class LawRounds
{
    private const int Looks = 2;

    private static readonly double[] FixedIntervals = [1, 2, 5, 10, 20, 40, 80];

    // Short, since fixed intervals behave the same from beginning to end.
    private static readonly TimeSpan WarmupOfALook = TimeSpan.FromSeconds(0.5);

    // The law is compared after it has found its interval: the default law takes up to four seconds under load. Fixed intervals get the same warm-up,
    // because a store's caches and logs change while it is written to.
    private static readonly TimeSpan Warmup = TimeSpan.FromSeconds(4);

    /// <param name="context">Runs the scenarios.</param>
    /// <param name="laws">The laws to compare.</param>
    /// <param name="shares">Loads as shares of what the store sustains.</param>
    /// <returns>The results of each load, in the finished rounds.</returns>
    /// <exception cref="OperationCanceledException">The run was stopped before the first round was finished.</exception>
    public static async Task<IReadOnlyList<LoadRounds>> MeasureAsync(ExperimentContext context, IReadOnlyList<PacingChoice> laws, IReadOnlyList<double> shares)
    {
        var calibration = await Calibration.FindAsync(context);
        var loads = new List<LoadRounds>();
        foreach (var share in shares)
            loads.Add(new LoadRounds(share, [.. laws, .. await CandidatesAsync(context, share * calibration.Capacity)]));
        for (var round = 0; round < context.Settings.Rounds; round++)
        {
            try
            {
                calibration = await calibration.AgainAsync(context);
                await RunAsync(context, loads, calibration.Capacity, round);
            }
            catch (OperationCanceledException) when (round > 0)
            {
                // The finished rounds are kept.
                break;
            }
        }

        return loads;
    }

    /// <summary>The report's note on how the rounds were made.</summary>
    public static string Note(IReadOnlyList<LoadRounds> loads) =>
        $"{loads[0].Count} rounds; in each, what the store sustains is asked anew, and at each load everything runs in turn, in random order. Each runs for {Warmup.TotalSeconds:0} s before it is measured. The fixed intervals are the best of a first look (1 to 80 ms) and its neighbours; "
        + "the best of them is chosen after the rounds, in its favour.";

    // Returns the best fixed interval of a first look, and its neighbors; the rounds then measure them. The first look runs each interval twice for a short
    // time: a disturbance of the machine seldom meets both runs. The runs of the first look are not used again, so that an interval gains nothing by luck.
    private static async Task<IEnumerable<PacingChoice>> CandidatesAsync(ExperimentContext context, double rate)
    {
        var choices = FixedIntervals.Select(LawCatalogue.Fixed).ToList();
        var looks = new LoadRounds(0, choices);
        for (var look = 0; look < Looks; look++)
        {
            looks.Add(await context.RunAllAsync(choices.Select(law => context.Constant(law, rate) with
            {
                Warmup = WarmupOfALook,
                Duration = WarmupOfALook + (context.Settings.Live.Measured / Looks),
            })));
        }

        var best = choices.IndexOf(looks.BestFixed);
        return choices.Where((_, i) => Math.Abs(i - best) <= 1);
    }

    private static Scenario Scenario(ExperimentContext context, PacingChoice law, double rate) =>
        context.Constant(law, rate) with { Warmup = Warmup, Duration = Warmup + context.Settings.Live.Measured };

    private static async Task RunAsync(ExperimentContext context, List<LoadRounds> loads, double capacity, int round)
    {
        var runs = new RunFigures[loads.Count][];
        var order = Enumerable.Range(0, loads.Count).ToArray();
        Random.Shared.Shuffle(order);
        foreach (var i in order)
            runs[i] = await context.RunAllAsync(loads[i].Laws.Select(law => Scenario(context, law, loads[i].Share * capacity) with { Seed = context.Settings.Seed + round }));
        // Adds a round only when all its runs are finished.
        for (var i = 0; i < loads.Count; i++)
            loads[i].Add(runs[i]);
    }
}

/// <summary>The runs of laws and fixed intervals at one load, round by round.</summary>
/// <param name="Share">The load, as a share of what the store sustains.</param>
/// <param name="Laws">The laws, then the fixed intervals that were near the best in a first look.</param>
internal sealed record LoadRounds(double Share, IReadOnlyList<PacingChoice> Laws)
{
    private readonly List<RunFigures[]> _rounds = [];

    public int Count => _rounds.Count;

    /// <summary>The fixed interval with the least mean write latency, in the geometric mean of the rounds. Overloaded intervals come last.</summary>
    public PacingChoice BestFixed => Laws.Where(law => LawCatalogue.IntervalOf(law) is not null)
        .OrderBy(law => Of(law).Overloaded).ThenBy(law => Of(law).Means.Sum(Math.Log)).First();

    /// <summary>The offered requests/s, in the median of the rounds.</summary>
    public double Rate => Spread.Median(_rounds.Select(round => round[0].Offered));

    public void Add(RunFigures[] round) => _rounds.Add(round);

    public Rounds Of(PacingChoice law)
    {
        var index = Laws.ToList().IndexOf(law);
        return new Rounds([.. _rounds.Select(round => round[index])]);
    }

    /// <summary>The ratio of one law's mean write latency to another's, paired within each round.</summary>
    public PairedRatio Ratio(PacingChoice law, PacingChoice over) => PairedRatio.Of(Of(law).Means.Zip(Of(over).Means));
}
