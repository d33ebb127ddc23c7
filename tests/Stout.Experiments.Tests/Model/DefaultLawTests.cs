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
        Assert.InRange(RunLone(StoreKinds.Workers8, 0.6, seed: 149, LawCatalogue.Default).MeanMilliseconds, 10, 40);
    }

    // The quickest requests come last before a log that waits for company, and take a quarter of what others do: counted by those the store works on two or three at a time,
    // and with two or three in flight it seems to, for their batches are as large as those of the ten that it bears.
    [Theory]
    [InlineData(81)]
    [InlineData(82)]
    [InlineData(83)]
    public void Nor_to_two_or_three_where_a_log_waits_for_company(int seed)
    {
        var best = RunLone(StoreKinds.CommitDelay, 0.75, seed, LawCatalogue.Fixed(1));

        Assert.InRange(RunLone(StoreKinds.CommitDelay, 0.75, seed, LawCatalogue.Default).MeanMilliseconds, 0, 2 * best.MeanMilliseconds);
    }

    private static RunFigures RunLone(StoreKind store, double share, int seed, PacingChoice law) => Simulation.Run(
        new Scenario
        {
            Store = store with { Partitions = 1 },
            Load = LoadProfile.Constant(share * store.Bottleneck!.MostWrites(1, 400)),
            Law = law,
            Scope = LawScope.Lane,
            Tiers = 1,
            Documents = 16_000,
            WriteShare = 1,
            Seed = seed,
            Duration = TimeSpan.FromSeconds(20),
            Warmup = TimeSpan.FromSeconds(10),
        },
        TestContext.Current.CancellationToken);
}
