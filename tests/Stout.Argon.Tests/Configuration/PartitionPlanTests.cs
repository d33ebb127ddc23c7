using Stout.Argon.Configuration;

namespace Stout.Argon.Tests.Configuration;

/// <summary>Compares the plan of partitions with a search over all divisions of the cache.</summary>
public sealed class PartitionPlanTests
{
    private const int Cache = 24;

    [Fact]
    public void A_service_is_left_at_best_effort_only_where_no_division_serves_all()
    {
        var (fitting, unfitting) = (0, 0);
        for (var seed = 0; seed < 2_000; seed++)
        {
            var random = new Random(seed);
            var insulation = 0.5 + (random.NextDouble() * 0.45);
            var services = Enumerable.Range(0, 3).Select(_ => RandomService(random, 1.0 / 3, Math.Sqrt(insulation))).ToList();
            var plan = PartitionPlan.Of(insulation, Cache, 1, services);
            Assert.Equal(Cache, plan.Targets.Sum());
            for (var i = 0; i < 3; i++)
                Assert.True(!plan.Fits[i] || Serves(services[i], plan.Targets[i], insulation), $"seed {seed}: service {i}");
            var possible = Divisions().Any(sizes => Enumerable.Range(0, 3).All(i => Serves(services[i], sizes[i], insulation)));
            Assert.True(possible == plan.Fits.All(fits => fits), $"seed {seed}: possible {possible}, fits {string.Join(", ", plan.Fits)}");
            _ = possible ? fitting++ : unfitting++;
        }

        Assert.True(fitting > 200 && unfitting > 200, $"{fitting} {unfitting}");
    }

    [Fact]
    public void A_service_that_was_insulated_stays_so_when_another_comes()
    {
        var (old, other) = (Linear(0.5), Linear(0.5) with { BestEffort = true });
        var plan = PartitionPlan.Of(0.9, Cache, 1, [other, old]);
        Assert.Equal([false, true], plan.Fits);
    }

    [Fact]
    public void Slack_goes_to_a_trial_and_comes_back_after_it()
    {
        var flat = Linear(0);
        Assert.Equal([1, 23], PartitionPlan.Of(0.9, Cache, 1, [flat, flat with { Trial = true }]).Targets);
        Assert.Equal([12, 12], PartitionPlan.Of(0.9, Cache, 1, [flat, flat]).Targets);
    }

    [Fact]
    public void The_disks_loss_and_the_caches_loss_are_R_together_and_not_R_squared()
    {
        var once = Linear(0.5) with { DiskEfficiency = Math.Sqrt(0.9), Share = 0.5 };
        var least = ThroughputModel.LeastPartition(once, 0.9, Cache)!.Value;
        Assert.True(ThroughputModel.Shared(once, least) >= 0.9 * 0.5 * ThroughputModel.Alone(once, Cache));
        // A plan that ignores the disk's loss of efficiency makes the partition smaller, and the service then misses its promised share.
        var forgotten = ThroughputModel.LeastPartition(once with { DiskEfficiency = 1 }, 0.9, Cache)!.Value;
        Assert.True(forgotten < least);
        Assert.True(ThroughputModel.Shared(once, forgotten) < 0.9 * 0.5 * ThroughputModel.Alone(once, Cache));
    }

    private static bool Serves(PlannedService service, int size, double insulation) =>
        size >= service.Buffers && ThroughputModel.Shared(service, size) >= insulation * service.Share * ThroughputModel.Alone(service, Cache) * (1 - 1e-9);

    private static IEnumerable<int[]> Divisions() =>
        from first in Enumerable.Range(1, Cache - 2)
        from second in Enumerable.Range(1, Cache - first - 1)
        select new[] { first, second, Cache - first - second };

    private static PlannedService Linear(double all) => new() { Absorbed = size => all * Math.Min(size, Cache) / Cache, MissTime = TimeSpan.FromMilliseconds(10), HitTime = TimeSpan.FromMicroseconds(10) };

    private static PlannedService RandomService(Random random, double share, double efficiency)
    {
        // The service's profile, the share that each cache size absorbs, has two steps.
        var (first, second) = (random.Next(1, 12), random.Next(1, Cache));
        var (low, high) = (random.NextDouble() * 0.5, random.NextDouble() * 0.5);
        return new PlannedService
        {
            Absorbed = size => (size >= first ? low : 0) + (size >= second ? high : 0),
            Share = share,
            DiskEfficiency = efficiency,
            MissTime = TimeSpan.FromMilliseconds(10),
            HitTime = TimeSpan.FromMicroseconds(10),
            Buffers = random.Next(1, 4),
        };
    }
}
