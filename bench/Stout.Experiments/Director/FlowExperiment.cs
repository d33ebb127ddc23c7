using Stout.Director;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>The flow mode beside the exact one, on both of the paper's loads.</summary>
internal sealed class FlowExperiment : DirectorExperiment
{
    public override string Name => "director-flow";

    public override string Title => "the flow mode beside the exact mode";

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("load"), new Column("policy"), new Column("seed"), new Column("mode"), new Column("units"), new Column("fiveMinutes"), new Column("oneMinute"), new Column("twentySeconds"));
        var means = Day(context, 6, 21);
        var model = TrainedModels.SmallInstance;
        foreach (var seed in SeedsOf(context))
        {
            foreach (var (policyName, policy) in new[] { ("ours", DirectorPolicy.Default), ("the paper's", DirectorPolicy.Paper()) })
            {
                foreach (var mode in new[] { SimulationMode.Exact, SimulationMode.Flow })
                {
                    Add("hotspot", PaperScenarios.Hotspot(model, policy, seed, mode));
                    Add("diurnal", PaperScenarios.Diurnal(model, means, policy, seed, mode));

                    void Add(string load, SimulationSettings settings)
                    {
                        var run = context.RunAsync(() => SimulationRun.Run(settings, cancellationToken: context.CancellationToken)).GetAwaiter().GetResult();
                        table.Add(load, policyName, seed, mode.ToString(), run.Units, run.AttainedPercentile(FiveMinutes), run.AttainedPercentile(OneMinute), run.AttainedPercentile(TwentySeconds));
                    }
                }
            }
        }

        return new ExperimentResult { Table = table };
    }
}
