using Stout.Experiments.Experiments;
using Stout.Experiments.Live;
using Stout.Experiments.Live.Stores;
using Stout.Experiments.Model;
using Stout.Experiments.Output;

namespace Stout.Experiments;

/// <summary>
/// Runs experiments one after the other, reports progress, and saves the result of each experiment when it is finished. Runs a scenario only once if several
/// experiments need it.
/// </summary>
internal sealed class Session(RunSettings settings, ResultFolder folder, bool asJson) : IAsyncDisposable
{
    private readonly KnownRuns _known = new();
    private readonly IRealStore? _store = settings.OnModel ? null : RealStores.Open(settings.Store, settings.Live.ServerProcess);

    public async Task RunAsync(IExperiment experiment, CancellationToken cancellationToken)
    {
        await using IRunner runner = _store is null ? new ModelRunner(Environment.ProcessorCount) : new LiveRunner(_store, TimeProvider.System);
        // Does not keep the runs of the experiment `laws`, which are many and used by no other experiment. Runs on a real store are not kept either, since each
        // has other figures.
        var known = _store is not null || experiment == Catalogue.Laws ? null : _known;
        using var pool = new RunPool(runner, known, cancellationToken);
        var running = RunAsync(experiment, pool);
        await ProgressDisplay.ShowAsync(experiment.Name, pool, running);
        var document = await running;
        // Saves without the experiment's token, so that the finished rounds of a stopped experiment are saved too.
        await folder.SaveAsync(document, CancellationToken.None);
        Print(document);
        cancellationToken.ThrowIfCancellationRequested();
    }

    public ValueTask DisposeAsync() => _store?.DisposeAsync() ?? default;

    private async Task<Document> RunAsync(IExperiment experiment, RunPool pool)
    {
        if (_store is null)
            return new Document(experiment, settings, await experiment.RunAsync(new ExperimentContext(settings, experiment, pool)));
        var description = await _store.DescribeAsync(pool.CancellationToken);
        var context = new ExperimentContext(settings, experiment, pool);
        double? capacity = experiment.OnRealStores == RealStoreUse.AtSharesOfCapacity ? (await Calibration.FindAsync(context)).Capacity : null;
        var result = await experiment.RunAsync(new ExperimentContext(settings, experiment, pool, capacity));
        return new Document(experiment, settings, result.WithoutPaper()) { RealStore = new RealStore(description, Machine.Description, capacity) };
    }

    private void Print(Document document)
    {
        if (asJson)
        {
            Console.WriteLine(document.Summary().ToJsonString());
            return;
        }

        Console.WriteLine($"{document.Experiment}: {document.Title}");
        foreach (var headline in document.Result.Headlines)
            Console.WriteLine($"  {headline.Name}: {Cell(headline.Ours, headline.Unit, "never")}{(headline.Around.Length == 0 ? "" : $" ({headline.Around})")}{(headline.Paper is null ? "" : $" (paper: {Cell(headline.Paper, headline.Unit, "")})")}");
    }

    private static string Cell(double? value, string unit, string none) => value is null ? none : $"{Table.Text(value)} {unit}".TrimEnd();
}
