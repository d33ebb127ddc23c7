using Stout.Experiments.Experiments;
using Stout.Experiments.Model;
using Stout.Experiments.Output;

namespace Stout.Experiments;

/// <summary>
/// Runs experiments one after the other, shows how far they are, and saves each as soon as it is finished. What several look at is run once.
/// </summary>
internal sealed class Session(RunSettings settings, ResultFolder folder, bool asJson)
{
    private readonly KnownRuns _known = new();

    public async Task RunAsync(IExperiment experiment, CancellationToken cancellationToken)
    {
        // The runs of laws are many, and nothing else looks at them.
        var known = experiment == Catalogue.Laws ? null : _known;
        using var pool = new RunPool(Simulation.Run, known, Environment.ProcessorCount, cancellationToken);
        var running = experiment.RunAsync(new ExperimentContext(settings, experiment, pool));
        await ProgressDisplay.ShowAsync(experiment.Name, pool, running);
        var document = new Document(experiment, settings, await running);
        await folder.SaveAsync(document, cancellationToken);
        if (asJson)
        {
            Console.WriteLine(document.Summary().ToJsonString());
            return;
        }

        Console.WriteLine($"{experiment.Name}: {experiment.Title}");
        foreach (var headline in document.Result.Headlines)
            Console.WriteLine($"  {headline.Name}: {Cell(headline.Ours, headline.Unit, "never")}{(headline.Paper is null ? "" : $" (paper: {Cell(headline.Paper, headline.Unit, "")})")}");
    }

    private static string Cell(double? value, string unit, string none) => value is null ? none : $"{Table.Text(value)} {unit}".TrimEnd();
}
