using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Experiments.Measuring;

namespace Stout.Director.Experiments;

/// <summary>
/// Figure 6 of the Director's paper. Trains the steady-state model and the copy-duration model with one seed, and tests both with another seed.
/// </summary>
internal sealed class ModelExperiment() : DirectorExperiment("director-fig6", "steady-state and copy-duration model on held-out loads and copies")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("mix"), new Column("gets"), new Column("puts"), new Column("violated"));
        var (capacity, right, copies) = (new List<double>(), new List<double>(), new List<double>());
        foreach (var seed in SeedsOf(context))
        {
            var settings = new TrainingSettings { Samples = context.Pick(30, 8), Intervals = context.Pick(6, 2) };
            var model = SteadyStateTrainer.Train(ModelTrainer.LoadSamples(ServerPhysics.SmallInstance, settings with { Seed = seed }));
            var heldOut = ModelTrainer.LoadSamples(ServerPhysics.SmallInstance, settings with { Seed = seed + 1_000 });
            var far = heldOut.Where(sample => Math.Abs(model.Utilization(sample.Gets, sample.Puts) - 1) > 0.05).ToList();
            capacity.Add(model.Capacity(0.95));
            right.Add(100.0 * far.Count(sample => model.Utilization(sample.Gets, sample.Puts) > 1 == sample.Violated) / far.Count);
            var copyModel = CopyDurationTrainer.Train(ModelTrainer.CopySamples(ServerPhysics.SmallInstance, 160, seed));
            copies.Add(ModelTrainer.CopySamples(ServerPhysics.SmallInstance, 1_000, seed + 1_000).Count(sample => CopyDurationTrainer.IsMet(copyModel, sample)) / 10.0);
            if (seed != context.Settings.Seed)
                continue;
            foreach (var sample in heldOut)
                table.Add($"{100 * sample.Gets / (sample.Gets + sample.Puts):0}/{100 * sample.Puts / (sample.Gets + sample.Puts):0}", sample.Gets, sample.Puts, sample.Violated ? "violation" : "none");
        }

        return new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                Headline.Of("visits/s that a server can serve at 95/5", "1/s", Estimate.Of(capacity), 7_000),
                Headline.Of("held-out loads over 5 % from the boundary that are classified as measured (goal: 97)", "%", Estimate.Of(right)),
                Headline.Of("held-out copies within 20 % of the prediction (goal: 90)", "%", Estimate.Of(copies)),
            ],
            Plots = [new("Figure 6", "gets", "puts", "violated")],
        };
    }
}
