using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Models;

/// <summary>The latency table that is trained from telemetry.</summary>
public sealed class LatencyTableTrainerTests
{
    private static readonly double[] Thresholds = [0.01, 0.05, 0.1, 0.2];

    [Fact]
    public void A_table_from_measurements_of_simulated_servers_says_about_what_their_own_table_says()
    {
        var small = TrainedModels.SmallInstance;
        var samples = Enumerable.Range(3, 8).SelectMany(step => Enumerable.Repeat(step * 900.0, 3)).Select((visits, i) =>
        {
            var measured = Latencies.Sum(SteadyRun.Run(ServerPhysics.SmallInstance, 6, 2, visits, 0.95, 3, i));
            return new LatencySample(visits * 0.95, visits * 0.05, [.. Thresholds.Select(measured.SlowerThan)]);
        }).ToList();
        var table = LatencyTableTrainer.Train(small.Type.SteadyState, Thresholds, samples);
        Assert.Equal(8, table.Loads.Count);
        var (own, made) = (new FlowTable(small, ServiceObjective.Paper, 2), new FlowTable(small with { Latencies = table }, ServiceObjective.Paper, 2));
        foreach (var load in new[] { 0.9, 1, 1.1 })
            Assert.Equal(1, Math.Pow(made.Slow(load) / own.Slow(load), 2), 0.35);
        Assert.Equal(1, made.Slow(table.Loads[^1]));
    }

    [Fact]
    public void Loads_of_a_tenth_are_averaged_and_more_load_never_means_fewer_slow_reads()
    {
        // The samples' loads, as shares of the boundary, are 0.5, 0.52, 0.8 and 1.
        var table = LatencyTableTrainer.Train(Some.Type.SteadyState, [0.1], [Sample(500, 0.02), Sample(520, 0.04), Sample(800, 0.01), Sample(1_000, 0.09)], asked: 1);
        Assert.Equal([0.51, 0.8, 1], table.Loads.Select(load => Math.Round(load, 9)));
        Assert.Equal([0.03, 0.03, 0.09], table.SlowAtOne.Select(row => Math.Round(row[0], 9)));
        Assert.Equal([0.0009, 0.0009, 0.0081], table.SlowAtTwo.Select(row => Math.Round(row[0], 9)));
    }

    [Fact]
    public void Bad_measurements_are_typed_errors()
    {
        var model = Some.Type.SteadyState;
        LatencySample[] samples = [Sample(500, 0.01), Sample(900, 0.1)];
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [], samples));
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [0], samples));
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [0.1, 0.1], samples));
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [0.1], samples, asked: 3));
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [0.1], [Sample(500, 1.1), Sample(900, 0.1)]));
        Assert.Throws<ModelException>(() => LatencyTableTrainer.Train(model, [0.1], [Sample(500, 0.1), Sample(510, 0.1)]));
    }

    private static LatencySample Sample(double gets, double slow) => new(gets, 0, [slow]);
}
