using Stout.Director.Experiments.RandomLoads;

namespace Stout.Director.Experiments;

/// <summary>The Director's experiments. They run in virtual time on simulated servers.</summary>
internal static class DirectorCatalogue
{
    public static IReadOnlyList<DirectorExperiment> All { get; } =
    [
        new NoiseExperiment(), new CopyImpactExperiment(), new ReplicasExperiment(), new ModelExperiment(), new HotspotExperiment(), new DiurnalExperiment(),
        new BaselinesExperiment(), new SteadyExperiment(), new SeasonsExperiment(), new WorldCupExperiment(), new TypesExperiment(), new FlowExperiment(), new ScaleExperiment(),
        new RandomLoadsExperiment(),
    ];

    /// <summary>Runs an experiment.</summary>
    /// <returns>Its result with its settings.</returns>
    public static async Task<Document> RunAsync(string name, ExperimentSettings settings, WorkPool pool)
    {
        var experiment = All.Single(known => known.Name == name);
        return new Document
        {
            Experiment = name,
            Title = experiment.Title,
            Store = "model",
            Model = new ModelledStore("director", "simulated servers, calibrated on The SCADS Director's text"),
            Law = "",
            LawMatters = false,
            Scope = "",
            Seed = settings.Seed,
            Arguments = $"{name}{(settings.Seeds > 1 ? $" --rounds {settings.Seeds}" : "")} --seed {settings.Seed}",
            Stem = name,
            Result = await experiment.RunAsync(new ExperimentContext(settings, pool)),
        };
    }
}
