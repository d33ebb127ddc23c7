using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

/// <summary>Figure 6: the boundary that training finds.</summary>
public sealed class SteadyStateTests
{
    [Fact]
    public void Held_out_loads_over_5_percent_from_the_boundary_are_classified_as_they_are_measured()
    {
        var model = SteadyStateTrainer.Train(ModelTrainer.LoadSamples(ServerPhysics.SmallInstance, new TrainingSettings { Samples = 20, Intervals = 4, Seed = 1 }));
        Assert.InRange(model.Capacity(0.95), 7_000 * 0.97, 7_000 * 1.03);
        var heldOut = ModelTrainer.LoadSamples(ServerPhysics.SmallInstance, new TrainingSettings { Samples = 20, Intervals = 4, Seed = 2 })
            .Where(sample => Math.Abs(model.Utilization(sample.Gets, sample.Puts) - 1) > 0.05).ToList();
        Assert.InRange(heldOut.Count(sample => model.Utilization(sample.Gets, sample.Puts) > 1 == sample.Violated) / (double)heldOut.Count, 0.97, 1);
        Assert.InRange(TrainedModels.SmallInstance.Type.SteadyState.Capacity(0.95), 7_000 * 0.97, 7_000 * 1.03);
    }
}
