using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs scenarios side by side, as many as there are processors. What comes of one does not depend on the others.</summary>
/// <param name="run">Runs one.</param>
/// <param name="known">Runs that need not be repeated; null: each is made anew.</param>
/// <param name="parallel">How many at a time.</param>
/// <param name="cancellationToken">Stops them all.</param>
internal sealed class RunPool(Func<Scenario, CancellationToken, RunFigures> run, KnownRuns? known, int parallel, CancellationToken cancellationToken) : IDisposable
{
    private readonly SemaphoreSlim _places = new(parallel);
    private int _planned;
    private int _done;

    public int Planned => Volatile.Read(ref _planned);

    public int Done => Volatile.Read(ref _done);

    public CancellationToken CancellationToken => cancellationToken;

    public Task<RunFigures> RunAsync(Scenario scenario) => known is null ? MakeAsync(scenario) : known.GetAsync(scenario, MakeAsync);

    /// <summary>Runs something that is no scenario.</summary>
    public async Task<T> RunAsync<T>(Func<T> work)
    {
        Interlocked.Increment(ref _planned);
        await _places.WaitAsync(cancellationToken);
        try
        {
            var result = await Task.Run(work, cancellationToken);
            Interlocked.Increment(ref _done);
            return result;
        }
        finally
        {
            _places.Release();
        }
    }

    public void Dispose() => _places.Dispose();

    private Task<RunFigures> MakeAsync(Scenario scenario) => RunAsync(() => run(scenario, cancellationToken));
}
