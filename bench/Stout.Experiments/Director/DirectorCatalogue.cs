using Stout.Experiments.Director.RandomLoads;
using Stout.Experiments.Experiments;

namespace Stout.Experiments.Director;

/// <summary>The Director's experiments. They run in virtual time on simulated servers.</summary>
internal static class DirectorCatalogue
{
    public static IReadOnlyList<IExperiment> All { get; } =
    [
        new NoiseExperiment(), new CopyImpactExperiment(), new ReplicasExperiment(), new ModelExperiment(), new HotspotExperiment(), new DiurnalExperiment(),
        new BaselinesExperiment(), new SteadyExperiment(), new SeasonsExperiment(), new WorldCupExperiment(), new TypesExperiment(), new FlowExperiment(), new ScaleExperiment(),
        new RandomLoadsExperiment(),
    ];
}
