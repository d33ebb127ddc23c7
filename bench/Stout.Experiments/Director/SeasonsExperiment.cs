using Stout.Director;
using Stout.Director.Loads;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>Seven similar days: what the seasonal forecast saves.</summary>
internal sealed class SeasonsExperiment : DirectorExperiment
{
    public override string Name => "director-seasons";

    public override string Title => "seven similar days with and without the seasonal forecast";

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("policy"), new Column("seed"), new Column("percentile"), new Column("violatedMinutes"), new Column("units"));
        foreach (var seed in SeedsOf(context))
        {
            foreach (var (name, policy) in new[]
            {
                ("the paper's policy", DirectorPolicy.Paper()),
                ("trend", DirectorPolicy.Default),
                ("seasonal", DirectorPolicy.Default with { Forecast = ForecastKind.Seasonal }),
            })
            {
                var run = context.RunAsync(() => SimulationRun.Run(BeyondScenarios.SimilarDays(TrainedModels.SmallInstance, policy, seed), cancellationToken: context.CancellationToken)).GetAwaiter().GetResult();
                foreach (var percentile in SimulationResult.Percentiles)
                    table.Add(name, seed, percentile, run.Violations(percentile, OneMinute), run.Units);
            }
        }

        return new ExperimentResult { Table = table };
    }
}
