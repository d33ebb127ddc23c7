using Stout.Director.Models;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

/// <summary>Runs shorter than a paid interval or than the objective's interval, and runs of a load as it is.</summary>
public sealed class ShortRunTests
{
    private static readonly ModelFile Small = TrainedModels.SmallInstance;

    [Fact]
    public void Intervals_that_are_all_unknown_attain_no_percentile()
    {
        Assert.Equal(0, SimulationResult.AttainedBy([double.NaN, double.NaN]));
        Assert.Equal(98, SimulationResult.AttainedBy([double.NaN, 0.02]));
    }

    [Fact]
    public void A_run_shorter_than_a_paid_interval_costs_its_part()
    {
        // 3,000 requests/s need one server for the visits and another for the second replica, for 15 min of paid hours that began before.
        var run = Run(Small, minutes: 15, perMinute: 180_000, mode: SimulationMode.Flow, DirectorPolicy.Default with { Mode = DirectorMode.Observe });
        Assert.Equal(run.Intervals[0].Servers * 0.25, run.Cost, 6);
    }

    [Fact]
    public void An_interval_longer_than_the_run_has_no_share_of_slow_reads()
    {
        var run = Run(Small, minutes: 4, perMinute: 180_000, mode: SimulationMode.Flow);
        Assert.Throws<InvalidObjectiveException>(() => run.AttainedPercentile(TimeSpan.FromMinutes(5)));
        Assert.Throws<InvalidObjectiveException>(() => run.Violations(99, TimeSpan.FromMinutes(5)));
        Assert.Throws<InvalidObjectiveException>(() => run.SlowShares(TimeSpan.FromSeconds(30)));
        Assert.Equal(4, run.SlowShares(TimeSpan.FromMinutes(1)).Count());
    }

    [Fact]
    public void A_load_as_it_is_has_its_own_rates_in_real_time()
    {
        var run = Run(Small, minutes: 10, perMinute: 180_000, mode: SimulationMode.Flow);
        Assert.Equal(30, run.Intervals.Count);
        Assert.All(run.Intervals, interval => Assert.Equal(3_000, interval.Rate, 6));
    }

    [Fact]
    public void The_exact_mode_has_servers_that_behave_as_the_given_model()
    {
        // Servers of four times the speed serve with two what takes m1.small some seven.
        var fast = Small with { Type = Small.Type with { SteadyState = Small.Type.SteadyState with { CostOfGet = Small.Type.SteadyState.CostOfGet / 4, CostOfPut = Small.Type.SteadyState.CostOfPut / 4 } } };
        var run = Run(fast, minutes: 1, perMinute: 1_000_000, mode: SimulationMode.Exact);
        Assert.InRange(run.Intervals[^1].Servers, 2, 6);
        Assert.True(run.AttainedPercentile(TimeSpan.FromMinutes(1)) >= 98);
    }

    private static SimulationResult Run(ModelFile model, int minutes, double perMinute, SimulationMode mode, DirectorPolicy? policy = null)
    {
        var settings = BeyondScenarios.AsItIs(
            model, [.. Enumerable.Repeat(perMinute, minutes)], new DirectorSettings(policy ?? DirectorPolicy.Default, [model.Type], BeyondScenarios.Bins), 1, mode);
        return SimulationRun.Run(settings with { Warmup = TimeSpan.FromMinutes(1) });
    }
}
