using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// Measures whether a law meets its goals after the start of many lanes, and after a change of the load or of the store. Another goal is the law's throughput
/// beside lanes of another law.
/// </summary>
internal sealed class ChangeGoals(ExperimentContext context, IReadOnlyList<int> seeds)
{
    private const double LightLoad = 2_250;
    private const double Cap = 12_000;
    private const double LongestInterval = 400;
    private const int Writers = 64;

    private static readonly string[] Others = ["window1", "paper"];
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(2.7);

    private readonly TimeSpan _at = context.Seconds(30, 8);
    private readonly TimeSpan _end = context.Seconds(60, 20);

    public IEnumerable<Task<IEnumerable<Goal>>> All() =>
    [
        StartAsync(), StepAsync(12_000, 6_000, 3), StepAsync(12_000, 18_000, 3), StepAsync(12_000, 36_000, 3), PauseAsync(), FairnessAsync(),
        SlowerAsync(1, 5), SlowerAsync(4, 10), SlowerAsync(32, 20), .. context.Pick<int[]>([4, 32], [4]).Select(RateCapAsync), .. Others.Select(MixedAsync),
        BusyAsync(0.1, null), BusyAsync(0.5, null), BusyAsync(0.1, Writers), BusyAsync(0.5, Writers),
    ];

    private async Task<IEnumerable<Goal>> StartAsync()
    {
        var store = StoreKinds.One with { Partitions = 1 };
        var runs = await RunAsync(Scenario(0.9 * store.Bottleneck!.MostWrites(32, LongestInterval)) with { Store = store, WriteShare = 1, Warmup = TimeSpan.Zero });
        return [Settles("settles after 32 lanes have started at once (s)", "one partition, 90 %", runs, TimeSpan.Zero, _end, 8)];
    }

    private async Task<IEnumerable<Goal>> StepAsync(double before, double after, double limit)
    {
        var runs = await RunAsync(Scenario(before) with { Load = LoadProfile.Step(before, _at, after) });
        return [Settles("settles after a step of the load (s)", FormattableString.Invariant($"one, 32 tiers, {before:0} to {after:0}/s"), runs, _at, _end, limit)];
    }

    private async Task<IEnumerable<Goal>> PauseAsync()
    {
        var runs = await RunAsync(Hiccups.Scenario(context, context.Law, StoreSpeed.Hiccup(_at, Pause)) with { Store = StoreKinds.One with { Partitions = 1 } });
        return [new("recovers from a pause of 2.7 s (s)", "one, 1 tier, 3,000 writes/s", Seconds(runs, run => Recovery.Time(run.WritesOverTime, _at, _at + Pause, _end)), 2)];
    }

    private async Task<IEnumerable<Goal>> SlowerAsync(int tiers, double limit)
    {
        var back = _at + context.Seconds(30, 20);
        var end = back + context.Seconds(20, 12);
        var runs = await RunAsync(Scenario(LightLoad) with
        {
            Tiers = tiers,
            Duration = end,
            Speed = _ => new StoreSpeed(new SpeedChange(_at, 0.1), new SpeedChange(back, 1)),
        });
        return
        [
            Settles("settles when the store becomes ten times slower (s)", $"one, {tiers} tiers", runs, _at, back, limit),
            Settles("settles when the store is fast again (s)", $"one, {tiers} tiers", runs, back, end, 5),
        ];
    }

    private async Task<IEnumerable<Goal>> FairnessAsync()
    {
        var window = TimeSpan.FromSeconds(5);
        var end = _at + context.Seconds(30, 22);
        var runs = await RunAsync(Scenario(12_000) with { Duration = end, Disturbance = (_at, static tier => tier % 2 == 0 ? 400 : 80) });
        return [new("Jain's index reaches 0.99 after intervals of 400 and 80 ms (s)", "one, 32 tiers, 12,000/s", Seconds(runs, run => Settling.FirstLasting(
            run.WritesOverTime.Step, _at, end - window, at => Fairness.Jain(run.TierMeans(at, at + window)) >= 0.99)), 10)];
    }

    private async Task<IEnumerable<Goal>> RateCapAsync(int tiers)
    {
        var runs = await RunAsync(Scenario(Cap * 2 * 1.2) with
        {
            Store = StoreKinds.RateCap,
            Tiers = tiers,
            Duration = context.Seconds(60, 20),
            Warmup = TimeSpan.FromSeconds(10),
        });
        var place = $"ratecap, {tiers} tiers, 120 % offered";
        return
        [
            new("share of the keys refused (%)", place, Median(runs, run => 100.0 * run.KeysRefused / run.KeysSent), 1),
            new("use of the cap (%)", place, Median(runs, run => 100 * (run.KeysSent - run.KeysRefused) / (Cap * (run.Scenario.Duration - run.Scenario.Warmup).TotalSeconds)), 95, AtLeast: true),
        ];
    }

    // One process on a store with a latency of 0.5 ms. Other programs begin to use the store's processors at `_at`, and the mean latency counts from then on.
    private async Task<IEnumerable<Goal>> BusyAsync(double share, int? writers)
    {
        var store = StoreKinds.One with
        {
            Partitions = 1,
            RoundTrip = TimeSpan.FromMilliseconds(0.2),
            Make = (random, speed, _) => new BusyProcessors(new Servers(8, ServiceTime.Linear(0.3, 0.01, 0.3, random), speed), _at, share, random),
        };
        var scenario = Scenario(LightLoad) with
        {
            Store = store,
            Tiers = 1,
            WriteShare = 1,
            Closed = writers is { } many ? new ClosedLoad(many, TimeSpan.FromMilliseconds(0.1)) : null,
            Warmup = _at,
        };
        var runs = await RunAsync(scenario);
        var window = await RunAsync(scenario with { Law = LawCatalogue.Find(Others[0])! });
        var load = writers is { } count ? $"{count} writers" : FormattableString.Invariant($"{LightLoad} writes/s");
        return [new("mean write latency on busy processors, over window 1's", FormattableString.Invariant($"one tier, {load}, {100 * share:0} % of the answers 4 to 40 ms late"), Spread.Median(runs.Zip(window, (law, other) => law.MeanMilliseconds / other.MeanMilliseconds)), 1.5)];
    }

    // All tiers are offered the same load; together it is 120 % of the load that the store carries.
    private async Task<IEnumerable<Goal>> MixedAsync(string other)
    {
        var store = StoreKinds.One with { Partitions = 1 };
        var runs = await RunAsync(Scenario(1.2 * store.Bottleneck!.MostWrites(32, LongestInterval)) with
        {
            Store = store,
            WriteShare = 1,
            OtherLaw = LawCatalogue.Find(other),
            Warmup = _at / 2,
            Duration = _end,
        });
        return [new("what it carries beside another law, over what that one carries", $"one partition, 32 tiers, 120 % offered, beside {other}", Median(runs, Share), 0.5, AtLeast: true)];

        static double Share(RunFigures run)
        {
            var carried = run.WritesByTier.Select(tier => tier.CountBetween(run.Scenario.Warmup, run.Scenario.Duration)).ToList();
            return (double)carried.Where((_, tier) => tier % 2 == 0).Sum() / carried.Where((_, tier) => tier % 2 == 1).Sum();
        }
    }

    private Scenario Scenario(double load) => context.Constant(context.Law, load) with { Store = StoreKinds.One, Scope = LawScope.Lane, Duration = _end, Warmup = _at / 2 };

    private Task<RunFigures[]> RunAsync(Scenario scenario) => context.RunAllAsync(seeds.Select(seed => scenario with { Seed = seed }));

    // The settling time of the mean over the seeds: on a store with few requests a second, a single run's mean never stops scattering.
    private static Goal Settles(string name, string place, IReadOnlyList<RunFigures> runs, TimeSpan change, TimeSpan end, double limit) =>
        new(name, place, Settling.TimeOfMean([.. runs.Select(static run => run.WritesOverTime)], change, end)?.TotalSeconds ?? double.PositiveInfinity, limit);

    private static double Seconds(IEnumerable<RunFigures> runs, Func<RunFigures, TimeSpan?> time) => Median(runs, run => time(run)?.TotalSeconds ?? double.PositiveInfinity);

    private static double Median(IEnumerable<RunFigures> runs, Func<RunFigures, double> figure) => Spread.Median(runs.Select(figure));
}
