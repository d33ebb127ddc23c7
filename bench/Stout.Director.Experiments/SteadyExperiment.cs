using Stout.Director.Simulation.Baselines;

namespace Stout.Director.Experiments;

/// <summary>A stationary noisy load for a day. A controller that tells load from noise adds and removes no servers, and moves no bins.</summary>
internal sealed class SteadyExperiment() : DirectorExperiment("director-steady", "a day of stationary noisy load")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("controller"), new Column("leases"), new Column("releases"), new Column("moves"), new Column("movedPerHour", "%"), new Column("violations"));
        var headlines = new List<Headline>();
        var model = TrainedModels.SmallInstance;
        Add("the Director", seed => BeyondScenarios.Steady(model, DirectorPolicy.Default, seed));
        Add("the paper's policy", seed => BeyondScenarios.Steady(model, DirectorPolicy.Paper(), seed));
        Add("closed loop on the 99th percentile", seed => Under(BaselineKind.ClosedLoop, BeyondScenarios.Steady(model, DirectorPolicy.Default, seed)));
        return new ExperimentResult { Table = table, Headlines = headlines };

        void Add(string name, Func<int, SimulationSettings> settings)
        {
            var runs = RunAll(context, settings);
            foreach (var run in runs)
                table.Add(name, run.Leases, run.Releases, run.Moves, 100.0 * run.Moves / BeyondScenarios.Bins / 24, run.Violations(99, OneMinute));
            headlines.Add(Headline.Of($"{name}: servers added or removed", "", Of(runs, run => run.Leases + run.Releases)));
            headlines.Add(Headline.Of($"{name}: bins moved per hour", "%", Of(runs, run => 100.0 * run.Moves / BeyondScenarios.Bins / 24)));
        }
    }
}
