using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

/// <summary>A model for another objective, derived from the latencies of a trained model.</summary>
public sealed class ModelRetargetingTests
{
    private static readonly ModelFile Small = TrainedModels.SmallInstance;

    [Fact]
    public void For_its_own_objective_a_model_stays_as_it_is() => Assert.Same(Small, Small.For(ServiceObjective.Parse("99 % of reads under 100 ms, over 5 min")));

    [Theory]
    [InlineData("95 % of reads under 100 ms, over 1 min")]
    [InlineData("98 % of reads under 70 ms, over 1 min")]
    [InlineData("99 % of reads under 150 ms, over 1 min")]
    public void The_exact_simulation_meets_another_objective_4_percent_below_the_derived_boundary_and_violates_it_4_percent_above(string text)
    {
        var objective = ServiceObjective.Parse(text);
        var boundary = Small.For(objective).Type.SteadyState.Capacity(0.95);
        Assert.InRange(Slow(0.96), 0, objective.SlowBudget);
        Assert.InRange(Slow(1.04), objective.SlowBudget, 1);

        double Slow(double share) => Latencies.Sum(SteadyRun.Run(ServerPhysics.SmallInstance, 6, 2, boundary * share, 0.95, 6, 5)).SlowerThan(objective.Threshold.TotalSeconds);
    }

    [Theory]
    [InlineData("95 % of reads under 100 ms, over 1 min")]
    [InlineData("90 % of reads under 100 ms, over 1 min")]
    public void With_one_replica_the_boundary_is_that_of_one(string text)
    {
        var objective = ServiceObjective.Parse(text);
        var one = Small.For(objective, asked: 1);
        Assert.Equal(1, one.Asked);
        Assert.Same(one, one.For(objective, asked: 1));
        var boundary = one.Type.SteadyState.Capacity(0.95);
        Assert.InRange(Slow(0.93), 0, objective.SlowBudget);
        Assert.InRange(Slow(1.07), objective.SlowBudget, 1);
        Assert.True(boundary < Small.For(objective).Type.SteadyState.Capacity(0.95));

        double Slow(double share) => Latencies.Sum(SteadyRun.Run(ServerPhysics.SmallInstance, 6, 1, boundary * share, 0.95, 6, 5)).SlowerThan(objective.Threshold.TotalSeconds);
    }

    [Fact]
    public void A_stricter_objective_leaves_less_capacity_and_a_looser_one_more()
    {
        var own = Small.Type.SteadyState.Capacity(0.95);
        Assert.True(Capacity("99.5 % of reads under 100 ms, over 1 min") < own);
        Assert.True(Capacity("99 % of reads under 80 ms, over 1 min") < own);
        Assert.True(Capacity("95 % of reads under 100 ms, over 1 min") > own);

        static double Capacity(string text) => Small.For(ServiceObjective.Parse(text)).Type.SteadyState.Capacity(0.95);
    }

    [Fact]
    public void The_table_moves_with_the_boundary_so_that_the_same_visits_are_as_slow_as_before()
    {
        var objective = ServiceObjective.Parse("95 % of reads under 100 ms, over 1 min");
        var other = Small.For(objective);
        var (before, after) = (new FlowTable(Small, objective, 2), new FlowTable(other, objective, 2));
        foreach (var visits in new[] { 3_000, 6_000, 7_000, 8_000, 9_000 })
            Assert.Equal(before.Slow(Load(Small, visits)), after.Slow(Load(other, visits)), 9);

        static double Load(ModelFile model, double visits) => model.Type.SteadyState.Utilization(visits * 0.95, visits * 0.05);
    }

    [Fact]
    public void The_physics_of_a_model_are_those_of_the_servers_that_it_was_trained_on()
    {
        var physics = Small.Physics();
        Assert.Equal(1, physics.GetTime / ServerPhysics.SmallInstance.GetTime, 0.03);
        Assert.Equal(1, physics.CopyCapacity / ServerPhysics.SmallInstance.CopyCapacity, 1e-6);
    }

    [Fact]
    public void An_objective_that_no_load_meets_and_a_model_without_latencies_are_typed_errors()
    {
        Assert.Throws<ModelException>(() => Small.For(ServiceObjective.Parse("99.9 % of reads under 12 ms, over 1 min")));
        Assert.Throws<ModelException>(() => Small.For(ServiceObjective.Parse("99 % of reads under 5 s, over 1 min")));
        var bare = Small with { Latencies = null };
        Assert.Throws<ModelException>(() => bare.For(ServiceObjective.Parse("95 % of reads under 100 ms, over 1 min")));
        Assert.Throws<ModelException>(() => bare.Physics());
    }
}
