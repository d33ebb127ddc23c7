using Stout.Director;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>Two server types with prices: the mixture beside each type alone.</summary>
internal sealed class TypesExperiment : DirectorExperiment
{
    public override string Name => "director-types";

    public override string Title => "two server types: cost beside the best single type";

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("types"), new Column("cost"), new Column("units"), new Column("oneMinute"), new Column("violations"));
        var means = Day(context, 6, 21);
        foreach (var (name, types) in new[] { ("small", new[] { "small" }), ("large", ["large"]), ("small and large", ["small", "large"]) })
        {
            var runs = RunAll(context, seed => BeyondScenarios.Types(means, types, DirectorPolicy.Default, seed));
            table.Add(name, Of(runs, run => run.Cost).Value, Of(runs, run => run.Units).Value, Of(runs, run => run.AttainedPercentile(OneMinute)).Value, Of(runs, run => run.Violations(99, OneMinute)).Value);
        }

        return new ExperimentResult { Table = table, Notes = ["A large server does twice the work of a small one at 1.8 times its price. Medians over the seeds, in flow mode."] };
    }
}
