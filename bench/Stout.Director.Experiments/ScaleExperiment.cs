using Stout.Director.Simulation.Physics;

namespace Stout.Director.Experiments;

/// <summary>Speed on one core of this machine: of the Director's decisions for 10,000 bins on 1,000 servers, and of both simulation modes.</summary>
internal sealed class ScaleExperiment() : DirectorExperiment("director-scale", "time and memory of decisions and simulations on one core")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("what"), new Column("value"), new Column("goal"));
        var scale = LargeCluster.Measure(bins: 10_000, servers: 1_000, plans: context.Pick(60, 5));
        table.Add("decision, mean (ms of processor time)", scale.Milliseconds, 20);
        table.Add("decision with half of the servers overloaded, mean (ms of processor time)", scale.OverloadedMilliseconds, 250);
        table.Add("live memory of the Director (MiB)", scale.LiveMebibytes, 64);
        table.Add("exact mode (million visits/s)", Exact(context), 3);
        table.Add("flow mode, 24 h of 200 bins x 40 servers (s)", Flow(context, 200, 40), 2);
        if (context.Settings.Effort == Effort.Full)
            table.Add("flow mode, 24 h of 10,000 bins x 1,000 servers (s)", Flow(context, 10_000, 1_000), 120);
        return new ExperimentResult { Table = table, Notes = ["Processor time of this machine, since it has other work too. Run it with DOTNET_PROCESSOR_COUNT=1: then it is one core's."] };
    }

    private static double Exact(ExperimentContext context)
    {
        var used = Environment.CpuUsage.TotalTime;
        var intervals = context.Pick(60, 5);
        SteadyRun.Run(ServerPhysics.SmallInstance, 10, 2, 6_364, 0.95, intervals, 1);
        return 6_364 * 10 * (intervals * 20 + 5) / (Environment.CpuUsage.TotalTime - used).TotalSeconds / 1e6;
    }

    private static double Flow(ExperimentContext context, int bins, int servers)
    {
        var settings = BeyondScenarios.Sized(TrainedModels.SmallInstance, bins, servers, context.Pick(TimeSpan.FromHours(24), TimeSpan.FromMinutes(30)), 1);
        var used = Environment.CpuUsage.TotalTime;
        SimulationRun.Run(settings, cancellationToken: context.CancellationToken);
        return (Environment.CpuUsage.TotalTime - used).TotalSeconds;
    }
}
