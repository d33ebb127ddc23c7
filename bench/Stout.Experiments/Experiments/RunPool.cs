using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs scenarios, at most <see cref="IRunner.Parallel"/> at a time.</summary>
/// <param name="runner">Runs one scenario.</param>
/// <param name="known">The runs that need not be repeated; null: equal scenarios are run again.</param>
/// <param name="cancellationToken">Stops all runs.</param>
internal sealed class RunPool(IRunner runner, KnownRuns? known, CancellationToken cancellationToken) : IDisposable
{
    private readonly SemaphoreSlim _places = new(runner.Parallel);
    private int _planned;
    private int _done;

    public int Planned => Volatile.Read(ref _planned);

    public int Done => Volatile.Read(ref _done);

    public CancellationToken CancellationToken => cancellationToken;

    public Task<RunFigures> RunAsync(Scenario scenario) => known is null ? MakeAsync(scenario) : known.GetAsync(scenario, MakeAsync);

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings) =>
        RunAsync(() => runner.ReplayAsync(histories, scenario, settings, cancellationToken));

    /// <summary>Runs work that is not a scenario.</summary>
    public Task<T> RunAsync<T>(Func<T> work) => RunAsync(() => Task.Run(work, cancellationToken));

    public void Dispose() => _places.Dispose();

    private Task<RunFigures> MakeAsync(Scenario scenario) => RunAsync(() => runner.RunAsync(scenario, cancellationToken));

    private async Task<T> RunAsync<T>(Func<Task<T>> work)
    {
        Interlocked.Increment(ref _planned);
        await _places.WaitAsync(cancellationToken);
        try
        {
            var result = await work();
            Interlocked.Increment(ref _done);
            return result;
        }
        finally
        {
            _places.Release();
        }
    }
}
