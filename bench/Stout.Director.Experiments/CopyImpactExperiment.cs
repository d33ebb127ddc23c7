using Stout.Director.Simulation.Physics;

namespace Stout.Director.Experiments;

/// <summary>Figure 2 of the Director's paper: the share of slow reads at a server that receives a copy of a bin, by copy rate.</summary>
internal sealed class CopyImpactExperiment() : DirectorExperiment("director-fig2", "slow reads at the target of a copy")
{
    private static readonly double[] Rates = [0, 0.5, 1, 2, 4, 6, 8];

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("load"), new Column("copyRate", "MB/s"), new Column("slowShare"));
        foreach (var visits in new[] { 4_000, 6_364 })
        {
            foreach (var rate in Rates)
            {
                var run = SteadyRun.Run(ServerPhysics.SmallInstance, 6, 1, visits, 0.95, context.Pick(60, 6), context.Settings.Seed, rate * 1e6);
                table.Add($"{visits} visits/s", rate, Latencies.Sum(run).SlowerThan(0.1));
            }
        }

        return new ExperimentResult
        {
            Table = table,
            Plots = [new("Figure 2", "copyRate", "slowShare", "load", Logarithmic: true)],
            Notes = ["The paper's text gives no numbers for its figure 2: a copy at 4 MB/s is taken to take a fifth of the target's processor."],
        };
    }
}
