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
}
