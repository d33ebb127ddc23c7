using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Simulated;

/// <summary>The paper's two experiments under the default policy, in flow mode with one seed.</summary>
public sealed class PaperTests
{
    [Fact]
    public void The_hotspot_attains_at_least_the_papers_percentiles()
    {
        var result = SimulationRun.Run(PaperScenarios.Hotspot(TrainedModels.SmallInstance, DirectorPolicy.Default, 1, SimulationMode.Flow), cancellationToken: TestContext.Current.CancellationToken);
        AtLeast(result, 98, 95, 80);
        Assert.InRange(result.Intervals.Max(interval => interval.MostReplicas) - 2, 6, 10);
        var slow = Enumerable.Range(0, result.Intervals.Count).Where(i => result.Intervals[i].SlowShare > 0.01).ToList();
        Assert.True(slow.Count == 0 || (slow[^1] - slow[0] + 1) * 20 < 180, "99th percentile under 100 ms again");
    }

    [Theory]
    [InlineData(0.1, 99, 95, 90)]
    [InlineData(0.3, 99.5, 99, 95)]
    public void A_day_of_load_attains_at_least_the_papers_percentiles(double overprovisioning, double fiveMinutes, double oneMinute, double twentySeconds)
    {
        var means = Shared.WorldCup().Means(new DateTime(1998, 6, 21, 0, 0, 0, DateTimeKind.Utc), 1440, 5);
        Assert.Equal(177, PaperScenarios.IdealUnits(means));
        var policy = DirectorPolicy.Default with { Overprovisioning = overprovisioning };
        var result = SimulationRun.Run(PaperScenarios.Diurnal(TrainedModels.SmallInstance, means, policy, 1, SimulationMode.Flow), cancellationToken: TestContext.Current.CancellationToken);
        AtLeast(result, fiveMinutes, oneMinute, twentySeconds);
        if (overprovisioning == 0.1)
            Assert.InRange(result.Units, 177, (int)(1.38 * 177));
    }

    [Fact]
    public void The_same_seed_gives_the_same_bits_and_another_seed_others()
    {
        var (first, second, other) = (Run(1), Run(1), Run(2));
        Assert.Equal(first.Intervals.Select(interval => interval.Slow), second.Intervals.Select(interval => interval.Slow));
        Assert.NotEqual(first.Intervals.Select(interval => interval.Slow), other.Intervals.Select(interval => interval.Slow));

        static SimulationResult Run(int seed) => SimulationRun.Run(PaperScenarios.Hotspot(TrainedModels.SmallInstance, DirectorPolicy.Paper(), seed, SimulationMode.Flow), cancellationToken: TestContext.Current.CancellationToken);
    }

    private static void AtLeast(SimulationResult result, double fiveMinutes, double oneMinute, double twentySeconds)
    {
        Assert.True(result.AttainedPercentile(TimeSpan.FromMinutes(5)) >= fiveMinutes, "5 min");
        Assert.True(result.AttainedPercentile(TimeSpan.FromMinutes(1)) >= oneMinute, "1 min");
        Assert.True(result.AttainedPercentile(TimeSpan.FromSeconds(20)) >= twentySeconds, "20 s");
    }
}
