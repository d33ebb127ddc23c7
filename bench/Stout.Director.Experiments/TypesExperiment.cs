namespace Stout.Director.Experiments;

/// <summary>Compares the cost of a cluster with two server types, each with its price, with the cost of each type alone.</summary>
internal sealed class TypesExperiment() : DirectorExperiment("director-types", "two server types: cost beside the best single type")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = TableWithAttained(new("types"), new("cost"), new("units"), new("violations"));
        var costs = new List<double>();
        var means = Day(context, 6, 21);
        foreach (var (name, types) in new[] { ("small", new[] { "small" }), ("large", ["large"]), ("small and large", ["small", "large"]) })
        {
            var runs = RunAll(context, seed => BeyondScenarios.Types(means, types, DirectorPolicy.Default, seed));
            AddRow(table, runs, name, Median(runs, run => run.Cost), Median(runs, run => run.Units), Median(runs, run => run.Violations(99, OneMinute)));
            costs.Add(Median(runs, run => run.Cost));
        }

        return new ExperimentResult
        {
            Table = table,
            Headlines = [new("cost of both types together, less than the best single type", "%", 100 * (1 - costs[^1] / costs[..^1].Min()))],
            Notes = ["A large server does twice the work of a small one at 1.8 times its price. Medians over the seeds, in flow mode."],
        };
    }
}
