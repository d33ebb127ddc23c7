using Stout.Experiments.Experiments;
using Stout.Experiments.Model;
using Stout.Experiments.Output;

namespace Stout.Experiments;

/// <summary>Runs experiments one after the other, shows how far they are, and saves each as soon as it is finished.</summary>
internal sealed class Session(RunSettings settings, ResultFolder folder, bool asJson)
{
    public async Task RunAsync(IExperiment experiment, CancellationToken cancellationToken)
    {
        using var pool = new RunPool(Simulation.Run, Environment.ProcessorCount, cancellationToken);
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
