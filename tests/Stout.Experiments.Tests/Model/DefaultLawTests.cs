using Stout.Experiments.Laws;
using Stout.Experiments.Model;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Model;

/// <summary>The default law on stores of the model, where it once went astray.</summary>
public sealed class DefaultLawTests
{
    // One seed of sixty: a handful of requests of a thousand keys from the way down had it take 100 keys for cheaper than they are, the store for full, and four
    // requests for as many as it works on. What gathers for four makes larger requests, which four workers of the eight never carried away.
    [Fact]
    public void A_lone_client_of_eight_workers_does_not_ratchet_itself_down_to_four()
    {
        var run = Simulation.Run(
            new Scenario
            {
                Store = StoreKinds.Workers8 with { Partitions = 1 },
                Load = LoadProfile.Constant(0.6 * StoreKinds.Workers8.Bottleneck!.MostWrites(1, 400)),
                Law = LawCatalogue.Default,
                Scope = LawScope.Lane,
                Tiers = 1,
                Documents = 16_000,
                WriteShare = 1,
                Seed = 149,
                Duration = TimeSpan.FromSeconds(20),
                Warmup = TimeSpan.FromSeconds(10),
            },
            TestContext.Current.CancellationToken);

        Assert.InRange(run.MeanMilliseconds, 10, 40);
    }

    // In one seed of ten a lane held on to the critical interval of the slow store, some 270 ms: it had few answers that could have shown it better, and for that
    // interval went on to have few.
    [Fact]
    public void A_store_that_was_slow_for_half_a_minute_leaves_no_lane_waiting()
    {
        var slowAt = TimeSpan.FromSeconds(30);
        var fastAt = TimeSpan.FromSeconds(60);
        var run = Simulation.Run(
            new Scenario
            {
                Store = StoreKinds.One,
                Load = LoadProfile.Constant(2250),
                Law = LawCatalogue.Default,
                Tiers = 32,
                Documents = 64_000,
                Seed = 110,
                Speed = _ => new StoreSpeed(new SpeedChange(slowAt, 0.1), new SpeedChange(fastAt, 1)),
                Duration = TimeSpan.FromSeconds(68),
                Warmup = TimeSpan.FromSeconds(15),
            },
            TestContext.Current.CancellationToken);

        var before = run.WritesOverTime.Mean(slowAt - TimeSpan.FromSeconds(10), slowAt);
        var after = run.WritesOverTime.Mean(fastAt + TimeSpan.FromSeconds(4), fastAt + TimeSpan.FromSeconds(8));
        Assert.InRange(after, 0.9 * before, 1.3 * before);
    }
}
