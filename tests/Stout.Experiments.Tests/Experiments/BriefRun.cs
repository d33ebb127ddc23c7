using Stout.Experiments.Experiments;
using Stout.Experiments.Laws;
using Stout.Experiments.Model;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>Runs an experiment as short as it can be, on the model.</summary>
internal static class BriefRun
{
    public static async Task<Document> OfAsync(string experiment, string law = "paper", int parallel = 2)
    {
        var settings = new RunSettings { Effort = Effort.Brief, Law = LawCatalogue.Find(law)! };
        var chosen = Catalogue.Find(experiment)!;
        using var pool = new RunPool(Simulation.Run, parallel, TestContext.Current.CancellationToken);
        return new Document(chosen, settings, await chosen.RunAsync(new ExperimentContext(settings, chosen, pool)));
    }
}
