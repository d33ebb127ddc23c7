using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Scenarios;

/// <summary>A load under a Director in flow mode, on as many servers of the first type as the Director would have for the load's beginning.</summary>
internal static class DirectorScenario
{
    /// <summary>The run.</summary>
    /// <param name="models">The model of each server type. Servers behave as it says; reads are judged by the first one's objective.</param>
    /// <param name="director">The Director's settings.</param>
    /// <param name="workload">The load.</param>
    /// <param name="binBytes">The size of each bin in bytes.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="recorder">Receives the Director's inputs; null records nothing.</param>
    public static SimulationSettings Of(IReadOnlyList<ModelFile> models, DirectorSettings director, Workload workload, IReadOnlyList<long> binBytes, int seed, IDirectorRecorder? recorder = null)
    {
        var (policy, types) = (director.Policy, director.Types);
        // Under the paper's policy, servers count a sample of the visits, as in the paper.
        var isPaper = policy.Forecast == Loads.ForecastKind.Smoothing;
        var rate = workload.Rate(0);
        return new SimulationSettings
        {
            Cluster = new ClusterSetup
            {
                Physics = models.ToDictionary(model => model.Type.Name, model => model.Physics()),
                BinBytes = binBytes,
                BootTime = policy.BootTime,
                ReadFanOut = policy.ReadFanOut,
                ReportsLatency = !isPaper,
                SampledGets = isPaper ? 0.02 : 1,
                SampledPuts = isPaper ? 0.4 : 1,
            },
            Workload = workload,
            Objective = ServiceObjective.Parse(models[0].Objective),
            ChargeInterval = policy.ChargeInterval,
            Prices = types.ToDictionary(type => type.Name, type => type.Price),
            Mode = SimulationMode.Flow,
            Models = models.ToDictionary(model => model.Type.Name),
            Controller = cluster => new DirectorController(director, cluster, TimeSpan.Zero, recorder),
            FirstType = types[0].Name,
            FirstServers = Servers(types[0], policy, rate * workload.GetShare, rate * (1 - workload.GetShare)),
            FirstReplicas = policy.LeastReplicas,
            Seed = seed,
        };
    }

    /// <summary>The servers that a policy has for a load of clients' gets and puts per second.</summary>
    public static int Servers(ServerType type, DirectorPolicy policy, double gets, double puts)
    {
        var load = type.SteadyState.Utilization(gets * policy.ReadFanOut, puts * policy.LeastReplicas);
        // Without a bound, a load that is too high for any cluster would overflow.
        return (int)Math.Min(int.MaxValue, Math.Max(policy.LeastReplicas, Math.Ceiling(load * (1 + policy.Overprovisioning) / policy.FillLimit)));
    }
}
