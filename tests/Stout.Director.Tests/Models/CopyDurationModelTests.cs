using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Models;

public sealed class CopyDurationModelTests
{
    [Fact]
    public void A_quadratic_law_is_recovered()
    {
        var random = new Random(3);
        var samples = Enumerable.Range(0, 60).Select(_ =>
        {
            var (rate, gets, puts) = (1e6 * (1 + 7 * random.NextDouble()), 10_000 * random.NextDouble(), 2_000 * random.NextDouble());
            return new CopySample(rate, gets, puts, 1 - 0.02 * rate / 1e6 - 2e-9 * gets * gets - 1e-5 * puts);
        }).ToList();
        var model = CopyDurationTrainer.Train(samples);
        Assert.All(samples, sample => Assert.Equal(sample.Factor, model.Factor(sample.SpecifiedRate, sample.Gets, sample.Puts), 0.005));
        Assert.Equal(2e6 / (4e6 * model.Factor(4e6, 0, 0)), model.Duration(2_000_000, 4e6, 0, 0).TotalSeconds, 1e-6);
    }

    [Fact]
    public void A_rate_that_never_varied_gets_no_wild_weight()
    {
        var samples = Enumerable.Range(0, 20).Select(i => new CopySample(4e6, i * 500, 0, 0.9 - i * 0.01)).ToList();
        Assert.InRange(CopyDurationTrainer.Train(samples).Factor(4e6, 5_000, 0), 0.7, 0.9);
    }

    [Fact]
    public void Nine_in_ten_held_out_copies_of_the_simulator_end_within_20_percent_of_the_prediction()
    {
        var model = CopyDurationTrainer.Train(ModelTrainer.CopySamples(ServerPhysics.SmallInstance, 100, 1));
        var heldOut = ModelTrainer.CopySamples(ServerPhysics.SmallInstance, 500, 2);
        Assert.InRange(heldOut.Count(sample => CopyDurationTrainer.IsMet(model, sample)) / 500.0, 0.9, 1);
    }

    [Fact]
    public void Too_few_copies_are_refused() => Assert.Throws<ModelException>(() => CopyDurationTrainer.Train([new CopySample(1, 1, 1, 1)]));
}
