using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>What is asked of a law when load, store or company change.</summary>
internal sealed class ChangeGoals(ExperimentContext context, IReadOnlyList<int> seeds)
{
    private const double LightLoad = 2_250;

    // An interval far too long comes to rest at once, and nobody wants it.
    private const double NearBest = 1.1;

    // Finer where 32 tiers fill the slower store: between 256 and 400 ms lie the edge of what it keeps up with, and those that come to rest soonest.
    private static readonly double[] ToldIntervals = [16, 32, 64, 128, 256, 300, 360, 400, 500, 640];

    // No batching until it is told an interval.
    private static readonly PacingChoice Told = new(
        "told", static told => new FixedIntervalLaw(new FixedIntervalParameters { IntervalMilliseconds = told ?? 0 }), LawScope.Lane, Adapts: false);

    private static readonly string[] Others = ["paper", "window1"];

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(2.7);

    private readonly TimeSpan _at = context.Seconds(30, 4);
    private readonly TimeSpan _end = context.Seconds(60, 12);

    public IEnumerable<Task<IEnumerable<Goal>>> All() =>
    [
        StepAsync(12_000, 6_000), StepAsync(12_000, 18_000), PauseAsync(), .. context.Pick<int[]>([1, 4, 32], [4]).Select(SlowerAsync), FairnessAsync(),
        .. context.Pick<int[]>([4, 32], [4]).Select(RateCapAsync), SlowPartitionAsync(), .. Others.Select(MixedAsync),
    ];

    private async Task<IEnumerable<Goal>> StepAsync(double before, double after)
    {
        var runs = await RunAsync(Scenario(before) with { Load = LoadProfile.Step(before, _at, after) });
        return [Settles("settles after a step of the load (s)", FormattableString.Invariant($"one, 32 tiers, {before:N0} to {after:N0}/s"), runs, _at, _end, 2)];
    }

    private async Task<IEnumerable<Goal>> PauseAsync()
    {
        var runs = await RunAsync(Hiccups.Scenario(context, context.Law, StoreSpeed.Hiccup(_at, Pause)) with { Store = StoreKinds.One with { Partitions = 1 } });
        return [new("recovers from a pause of 2.7 s (s)", "one, 1 tier, 3,000 writes/s", Seconds(runs, run => Recovery.Time(run.WritesOverTime, _at, _at + Pause, _end)), 2)];
    }

    private async Task<IEnumerable<Goal>> SlowerAsync(int tiers)
    {
        var back = _at + context.Seconds(30, 8);
        var end = back + context.Seconds(30, 8);
        var scenario = Scenario(LightLoad) with
        {
            Tiers = tiers,
            Documents = 2_000 * 32,
            Duration = end,
            Speed = _ => new StoreSpeed(new SpeedChange(_at, 0.1), new SpeedChange(back, 1)),
        };
        var told = ToldAsync(scenario with { Duration = back });
        var runs = await RunAsync(scenario);
        return
        [
            Settles("settles when the store becomes ten times slower (s)", $"one, {tiers} tiers", runs, _at, back, 5) with { Told = await told },
            Settles("settles when the store is fast again (s)", $"one, {tiers} tiers", runs, back, end, 5),
        ];
    }

    // How soon fixed intervals settle that are told of the change, among those that are then near the best.
    private async Task<double> ToldAsync(Scenario scenario)
    {
        var intervals = await Task.WhenAll(context.Pick(ToldIntervals, [64]).Select(interval => RunAsync(scenario with { Law = Told, Disturbance = (_at, _ => interval) })));
        var rests = intervals.Select(runs => (Mean: Spread.Median(runs.Select(run => Settling.Rest(run.WritesOverTime, _at, scenario.Duration))), Settles: SettlesInTheMean(runs, _at, scenario.Duration))).ToList();
        var best = rests.Min(rest => rest.Mean);
        return rests.Where(rest => rest.Mean <= NearBest * best).Min(rest => rest.Settles);
    }

    private async Task<IEnumerable<Goal>> FairnessAsync()
    {
        var window = TimeSpan.FromSeconds(5);
        var runs = await RunAsync(Scenario(12_000) with { Disturbance = (_at, static tier => tier % 2 == 0 ? 400 : 80) });
        return [new("Jain's index reaches 0.99 after intervals of 400 and 80 ms (s)", "one, 32 tiers, 12,000/s", Seconds(runs, run => Settling.FirstLasting(
            run.WritesOverTime.Step, _at, _end - window, at => Fairness.Jain(run.TierMeans(at, at + window)) >= 0.99)), 10)];
    }

    private async Task<IEnumerable<Goal>> RateCapAsync(int tiers)
    {
        const double Cap = 12_000;
        var runs = await RunAsync(Scenario(Cap * 2 * 1.2) with
        {
            Store = StoreKinds.RateCap,
            Tiers = tiers,
            Documents = 2_000 * 32,
            Duration = context.Seconds(120, 12),
            Warmup = context.Seconds(40, 4),
        });
        var place = $"ratecap, {tiers} tiers, 120 % offered";
        return
        [
            new("share of the writes refused (%)", place, Spread.Median(runs.Select(run => 100.0 * run.KeysRefused / run.KeysSent)), 1),
            new("use of the cap (%)", place, Spread.Median(runs.Select(run => 100 * (run.KeysSent - run.KeysRefused) / (Cap * (run.Scenario.Duration - run.Scenario.Warmup).TotalSeconds))), 95, AtLeast: true),
        ];
    }

    private async Task<IEnumerable<Goal>> SlowPartitionAsync()
    {
        var runs = await RunAsync(Scenario(6_000) with { Speed = partition => partition == 0 ? new StoreSpeed(new SpeedChange(_at, 0.1)) : StoreSpeed.Usual });
        return [new("latency of the partitions beside a slow one, over before", "one, 32 tiers, 6,000/s", Spread.Median(runs.Select(run =>
            run.WritesByPartition.Skip(1).Max(writes => writes.Mean(_at + TimeSpan.FromSeconds(2), _end) / writes.Mean(_at / 2, _at)))), 1.05)];
    }

    // Everyone is offered the same and gets it through; what one half can take from the other is speed, the inverse of latency.
    private async Task<IEnumerable<Goal>> MixedAsync(string other)
    {
        var goals = new List<Goal>();
        foreach (var load in context.Pick<double[]>([6_000, 12_000, 24_000], [6_000]))
        {
            var runs = await RunAsync(Scenario(load) with { OtherLaw = LawCatalogue.Find(other), Warmup = _at });
            goals.Add(new("least share of the fair one beside another law", FormattableString.Invariant($"one, 32 tiers, {load:N0}/s, beside {other}"), Spread.Median(runs.Select(Least)), 0.5, AtLeast: true));
        }

        return goals;

        double Least(RunFigures run)
        {
            var speeds = run.TierMeans(_at, _end).Select(mean => 1 / mean).ToList();
            var (ours, theirs) = (speeds.Where((_, tier) => tier % 2 == 0).Average(), speeds.Where((_, tier) => tier % 2 == 1).Average());
            return Math.Min(ours, theirs) / speeds.Average();
        }
    }

    private Scenario Scenario(double load) => context.Constant(context.Law, load) with { Store = StoreKinds.One, Scope = LawScope.Lane, Duration = _end, Warmup = _at / 2 };

    private Task<RunFigures[]> RunAsync(Scenario scenario) => context.RunAllAsync(seeds.Select(seed => scenario with { Seed = seed }));

    private static Goal Settles(string name, string place, IReadOnlyList<RunFigures> runs, TimeSpan change, TimeSpan end, double limit) =>
        new(name, place, SettlesInTheMean(runs, change, end), limit, Single: Seconds(runs, run => Settling.Time(run.WritesOverTime, change, end)));

    private static double SettlesInTheMean(IEnumerable<RunFigures> runs, TimeSpan change, TimeSpan end) =>
        Seconds(Settling.TimeOfMean([.. runs.Select(static run => run.WritesOverTime)], change, end));

    private static double Seconds(IEnumerable<RunFigures> runs, Func<RunFigures, TimeSpan?> time) => Spread.Median(runs.Select(run => Seconds(time(run))));

    private static double Seconds(TimeSpan? time) => time?.TotalSeconds ?? double.PositiveInfinity;
}
