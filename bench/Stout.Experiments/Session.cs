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
        // Runs on a real store are not kept, since each has other figures.
        var known = _store is not null ? null : _known;
        using var pool = new RunPool(runner, known, cancellationToken);
        await ExperimentRun.FinishAsync(experiment.Name, pool, RunAsync(experiment, pool), folder, asJson);
    }

    public ValueTask DisposeAsync() => _store?.DisposeAsync() ?? default;

    private async Task<Document> RunAsync(IExperiment experiment, RunPool pool)
    {
        if (_store is null)
            return RunDocument.Of(experiment, settings, await experiment.RunAsync(new ExperimentContext(settings, experiment, pool)));
        var description = await _store.DescribeAsync(pool.CancellationToken);
        var context = new ExperimentContext(settings, experiment, pool);
        double? capacity = experiment.OnRealStores == RealStoreUse.AtSharesOfCapacity ? (await Calibration.FindAsync(context)).Capacity : null;
        var result = await experiment.RunAsync(new ExperimentContext(settings, experiment, pool, capacity));
        return RunDocument.Of(experiment, settings, result.WithoutPaper()) with { RealStore = new RealStore(description, Machine.Description, capacity) };
    }
}
