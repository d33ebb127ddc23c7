namespace Stout.Experiments;

/// <summary>Runs work, at most some at a time.</summary>
/// <param name="parallel">The most at a time.</param>
/// <param name="cancellationToken">Stops all work.</param>
internal class WorkPool(int parallel, CancellationToken cancellationToken) : IDisposable
{
    private readonly SemaphoreSlim _places = new(parallel);
    private int _planned;
    private int _done;

    public int Planned => Volatile.Read(ref _planned);

    public int Done => Volatile.Read(ref _done);

    public CancellationToken CancellationToken => cancellationToken;

    public Task<T> RunAsync<T>(Func<T> work) => RunAsync(() => Task.Run(work, cancellationToken));

    public void Dispose() => _places.Dispose();

    protected async Task<T> RunAsync<T>(Func<Task<T>> work)
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
