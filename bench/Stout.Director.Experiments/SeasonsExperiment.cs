using Stout.Director.Simulation.Baselines;
using Stout.Experiments.Measuring;

namespace Stout.Director.Experiments;

/// <summary>Seven similar days of load. Compares the violations and the server units of the default policy with those of the paper's policy and others.</summary>
internal sealed class SeasonsExperiment() : DirectorExperiment("director-seasons", "seven similar days under the default policy")
{
    // The peak needs 12 servers.
    private const int StaticServers = 12;
    private const double Headroom = 0.7;

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("speed"), new Column("seed"), new Column("policy"), new Column("violatedMinutes"), new Column("units"));
        var headlines = new List<Headline>();
        foreach (var isFast in context.Pick<bool[]>([true, false], [true]))
        {
            var speed = isFast ? "12 x speed" : "real time";
            var figures = new Dictionary<string, (List<double> Violations, List<double> Units)>();
            foreach (var seed in SeedsOf(context))
            {
                SimulationSettings Days(DirectorPolicy policy) => BeyondScenarios.SimilarDays(TrainedModels.SmallInstance, policy, seed, isFast);
                Add("default", Days(DirectorPolicy.Default));
                Add("the paper's policy", Days(DirectorPolicy.Paper()));
                Add("autoscaler at 70 %", Under(BaselineKind.Hpa, Days(DirectorPolicy.Default)));
                Add("static, 70 %", Under(BaselineKind.Static, Days(DirectorPolicy.Default), (int)Math.Round(StaticServers / Headroom)));

                void Add(string name, SimulationSettings settings)
                {
                    var run = Simulate(context, settings);
                    table.Add(speed, seed, name, run.Violations(99, OneMinute), run.Units);
                    if (!figures.TryGetValue(name, out var known))
                        figures[name] = known = ([], []);
                    known.Violations.Add(run.Violations(99, OneMinute));
                    known.Units.Add(run.Units);
                }
            }

            foreach (var (name, (violations, units)) in figures)
            {
                headlines.Add(Headline.Of($"{speed}, {name}: violated minutes", "", Estimate.Of(violations)));
                headlines.Add(Headline.Of($"{speed}, {name}: units", "", Estimate.Of(units)));
            }
        }

        return new ExperimentResult { Table = table, Headlines = headlines };
    }
}
