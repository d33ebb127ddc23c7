using Stout.Director.Models;

namespace Stout.Director.Tests.Models;

public sealed class SteadyStateModelTests
{
    [Fact]
    public void Separable_samples_give_finite_weights_and_the_line_between_them()
    {
        var samples = Grid((gets, puts) => gets + 2 * puts > 1_000);
        var model = SteadyStateTrainer.Train(samples);
        Assert.True(double.IsFinite(model.CostOfGet) && double.IsFinite(model.CostOfPut));
        Assert.InRange(model.Capacity(1), 950, 1_050);
        Assert.InRange(model.Capacity(0), 475, 525);
        Assert.True(model.Accuracy > 0.98);
    }

    [Fact]
    public void Two_clusters_of_samples_far_apart_do_not_diverge()
    {
        LoadSample[] samples = [new(1, 1, false), new(2, 1, false), new(1_000_000, 900_000, true), new(900_000, 1_000_000, true)];
        var model = SteadyStateTrainer.Train(samples);
        Assert.InRange(model.Capacity(0.5), 2, 1_900_000);
    }

    [Fact]
    public void Noisy_samples_give_the_line_where_half_are_violations()
    {
        var random = new Random(5);
        var samples = Grid((gets, puts) => gets + puts + 200 * (random.NextDouble() - 0.5) > 1_000);
        Assert.InRange(SteadyStateTrainer.Train(samples).Capacity(0.8), 960, 1_040);
    }

    [Fact]
    public void Samples_of_one_class_and_samples_where_more_load_is_better_are_refused()
    {
        Assert.Throws<ModelException>(() => SteadyStateTrainer.Train(Grid((_, _) => false)));
        Assert.Throws<ModelException>(() => SteadyStateTrainer.Train(Grid((_, _) => true)));
        Assert.Throws<ModelException>(() => SteadyStateTrainer.Train(Grid((gets, puts) => gets + puts < 1_000)));
    }

    [Fact]
    public void A_load_outside_the_trained_range_is_an_extrapolation()
    {
        var range = SteadyStateTrainer.Train(Grid((gets, puts) => gets + puts > 1_000)).Trained;
        Assert.True(range.Covers(900, 900));
        Assert.False(range.Covers(5_000, 0));
    }

    private static List<LoadSample> Grid(Func<double, double, bool> violated) =>
        [.. from gets in Enumerable.Range(1, 30) from puts in Enumerable.Range(1, 30) select new LoadSample(gets * 50, puts * 50, violated(gets * 50, puts * 50))];
}
