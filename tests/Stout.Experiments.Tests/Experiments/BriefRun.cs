using Stout.Experiments.Experiments;
using Stout.Experiments.Laws;
using Stout.Experiments.Model;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>Runs an experiment on the model, with the shortest runs.</summary>
internal static class BriefRun
{
    // A seed always gives the same figures, so tests share runs.
    private static readonly KnownRuns Known = new();

    public static Task<Document> OfAsync(string experiment, string law = "paper", int seeds = 1) => OfAsync(experiment, law, Known, 2, seeds);

    /// <summary>Runs an experiment anew: it takes no figures from <see cref="Known"/>, the runs that the tests share.</summary>
    public static Task<Document> AnewAsync(string experiment, int parallel) => OfAsync(experiment, "paper", null, parallel, seeds: 1);

    private static async Task<Document> OfAsync(string experiment, string law, KnownRuns? known, int parallel, int seeds)
    {
        var settings = new RunSettings { Effort = Effort.Brief, Law = LawCatalogue.Find(law)!, Seeds = seeds };
        var chosen = Catalogue.Find(experiment)!;
        using var pool = new RunPool(new ModelRunner(parallel), known, TestContext.Current.CancellationToken);
        return RunDocument.Of(chosen, settings, await chosen.RunAsync(new ExperimentContext(settings, chosen, pool)));
    }
}
