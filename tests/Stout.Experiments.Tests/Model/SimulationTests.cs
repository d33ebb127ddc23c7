using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Model;

/// <summary>The model as a whole, with the production core in it.</summary>
public sealed class SimulationTests
{
    [Theory]
    [InlineData("none", "one", LawScope.Lane)]
    [InlineData("fixed-20", "workers8", LawScope.Process)]
    [InlineData("paper", "groupcommit", LawScope.Process)]
    [InlineData("window2", "pacifica", LawScope.Lane)]
    [InlineData("gradient2", "one", LawScope.Lane)]
    [InlineData("cosmos-bulk", "ratecap", LawScope.Lane)]
    [InlineData("aimd", "nobatch", LawScope.Lane)]
    internal void Every_request_is_answered_and_Littles_law_holds(string law, string store, LawScope scope)
    {
        var run = Run(law, store, scope, 3_000);
        Assert.InRange(run.Achieved / run.Offered, 0.97, 1.03);
        Assert.InRange(run.LittleRatio, 0.98, 1.02);
        Assert.False(run.Overloaded);
    }

    [Fact]
    public void An_overloaded_store_is_found_out() => Assert.True(Run("none", "one", LawScope.Lane, 20_000).Overloaded);

    [Fact]
    public void A_store_with_a_rate_cap_refuses_what_exceeds_it()
    {
        var run = Run("none", "ratecap", LawScope.Lane, 28_000);
        Assert.True(run.KeysRefused > 0);
        Assert.True((run.KeysSent - run.KeysRefused) / run.Scenario.Duration.TotalSeconds <= 4 * 3_000 * 1.5);
    }

    [Fact]
    public void The_same_seed_gives_the_same_figures_and_another_seed_others()
    {
        Assert.Equal(Fingerprint(Run("paper", "one", LawScope.Lane, 6_000)), Fingerprint(Run("paper", "one", LawScope.Lane, 6_000)));
        Assert.NotEqual(Fingerprint(Run("paper", "one", LawScope.Lane, 6_000)), Fingerprint(Run("paper", "one", LawScope.Lane, 6_000, seed: 2)));
    }

    [Fact]
    public void A_process_with_one_law_sends_to_all_partitions_at_once_and_so_larger_batches()
    {
        var (lane, process) = (Run("fixed-20", "one", LawScope.Lane, 6_000), Run("fixed-20", "one", LawScope.Process, 6_000));
        Assert.True(process.BatchSize > lane.BatchSize);
        Assert.True(process.StoreRequests < lane.StoreRequests);
    }

    private static string Fingerprint(RunFigures run) =>
        FormattableString.Invariant($"{run.MeanMilliseconds:R} {run.P99Milliseconds:R} {run.Reads.MeanMilliseconds:R} {run.KeysSent} {run.Intervals[^1]:R} {string.Join(' ', run.Waiting)}");

    private static RunFigures Run(string law, string store, LawScope scope, double rate, int seed = 1) =>
        Simulation.Run(Scenario(law, store, scope, rate, seed), TestContext.Current.CancellationToken);

    private static Scenario Scenario(string law, string store, LawScope scope, double rate, int seed)
    {
        var choice = LawCatalogue.Find(law)!;
        return new Scenario
        {
            Store = StoreKinds.Find(store)!,
            Load = LoadProfile.Constant(rate),
            Law = choice,
            Scope = scope,
            Seed = seed,
            Duration = TimeSpan.FromSeconds(6),
            Warmup = TimeSpan.FromSeconds(2),
        };
    }
}
