using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tests.Tool.Answers;

/// <summary>The fit of latency by load to a history.</summary>
public sealed class ProductionTrainerTests
{
    [Fact]
    public void The_boundary_of_known_servers_lies_in_the_range()
    {
        var fit = ProductionTrainer.Train(Synthetic.Wave(240, 900, 0.85));
        var truth = Boundary(Synthetic.Truth);
        Assert.True(fit.IsBounded);
        Assert.InRange(truth, 0.97 * FittedModel.Boundary(fit, fit.Low, Synthetic.Objective), 1.03 * FittedModel.Boundary(fit, fit.High, Synthetic.Objective));
        Assert.InRange(FittedModel.Boundary(fit, fit.Best, Synthetic.Objective), 0.93 * truth, 1.07 * truth);
    }

    [Fact]
    public void A_load_at_which_no_read_waits_does_not_bound_the_capacity()
    {
        var fit = ProductionTrainer.Train(Synthetic.Wave(240, 900, 0.2));
        Assert.False(fit.IsBounded);
        // The model then promises hardly more than what was measured.
        Assert.Same(fit.Low, fit.Best);
    }

    [Fact]
    public void A_model_has_the_latency_of_each_load()
    {
        var fit = ProductionTrainer.Train(Synthetic.Wave(240, 900, 0.85));
        var model = FittedModel.Of(fit, fit.Best, Synthetic.Objective, "own", 1, 60);
        Assert.Equal((1, "own"), (model.Asked, model.Type.Name));
        Assert.All(model.Latencies!.SlowAtOne.Zip(model.Latencies.SlowAtOne.Skip(1)), pair => Assert.All(pair.First.Zip(pair.Second), shares => Assert.True(shares.First <= shares.Second + 1e-9)));
        using var stream = new MemoryStream();
        model.Write(stream);
        stream.Position = 0;
        Assert.Equal(model.Type.SteadyState.CostOfGet, Stout.Director.Models.ModelFile.Read(stream).Type.SteadyState.CostOfGet);
    }

    [Fact]
    public void A_history_without_latency_or_with_one_load_gives_no_model()
    {
        var history = Synthetic.Wave(60, 900);
        Assert.Throws<HistoryException>(() => ProductionTrainer.Train(history with { Servers = [] }));
        Assert.Throws<HistoryException>(() => ProductionTrainer.Train(history.Slice(0, 2)));
        var fit = ProductionTrainer.Train(history);
        Assert.Throws<ModelException>(() => FittedModel.Boundary(fit, fit.Best, ServiceObjective.Parse("99 % of reads under 5 s")));
        Assert.Throws<ModelException>(() => FittedModel.Boundary(fit, fit.Best, ServiceObjective.Parse("99 % of reads under 10 ms")));
    }

    private static double Boundary(QueueCurve curve)
    {
        var load = 0.0;
        while (FittedModel.At(curve.Bounds, curve.Slow(load), 0.1) <= 0.01)
            load += 0.1;
        return load;
    }
}
