using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
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
        Assert.InRange(RunLone(StoreKinds.Workers8, 0.6, seed: 149).MeanMilliseconds, 10, 40);
    }

    private static RunFigures RunLone(StoreKind store, double share, int seed) => Simulation.Run(
        new Scenario
        {
            Store = store with { Partitions = 1 },
            Load = LoadProfile.Constant(share * store.Bottleneck!.MostWrites(1, 400)),
            Law = LawCatalogue.Default,
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
