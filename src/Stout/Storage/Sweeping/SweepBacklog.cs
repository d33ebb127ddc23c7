namespace Stout.Storage;

/// <summary>
/// Sweeps a store partition, and keeps sweeping as fast as writing. It counts the garbage (dead generations or rows) that this process has left since the
/// last sweep. Enough garbage starts a sweep before the interval has passed; with too much, each write waits for the sweep.
/// </summary>
/// <remarks>A sweep that fails or takes too long never fails a write: the wait ends without an error after <see cref="LongestWait"/>.</remarks>
public sealed class SweepBacklog : IAsyncDisposable
{
    private readonly BackgroundLoop _loop;
    private readonly TimeProvider _time;
    private readonly int _due;
    private readonly int _most;
    private long _left;

    /// <summary>Starts sweeping.</summary>
    /// <param name="timeProvider">The clock of the interval and of the waits.</param>
    /// <param name="interval">The time between two sweeps.</param>
    /// <param name="due">The garbage that starts a sweep. 1 or more.</param>
    /// <param name="most">The garbage at which writes wait. At least <paramref name="due"/>.</param>
    /// <param name="sweep">One sweep of all present garbage. The argument is the garbage of this process.</param>
    /// <param name="first">The time before the first sweep. Default: the interval.</param>
    public SweepBacklog(
        TimeProvider timeProvider, TimeSpan interval, int due, int most, Func<long, CancellationToken, ValueTask> sweep, TimeSpan? first = null)
    {
        ArgumentNullException.ThrowIfNull(sweep);
        (_time, _due, _most) = (timeProvider, due, most);
        _loop = new BackgroundLoop(timeProvider, interval, Job, token => SweepAsync(sweep, token), first);
    }

    /// <summary>
    /// The longest time for which sweeping delays one write: 2 s. The wait counts against the write's own time limit, so a longer sweep goes on beside the
    /// writes.
    /// </summary>
    public static TimeSpan LongestWait { get; } = TimeSpan.FromSeconds(2);

    /// <summary>The outcome of the sweeps. A proxy lists it in <see cref="IStorePartition.BackgroundJobs"/>.</summary>
    public BackgroundJob Job { get; } = new("sweep");

    /// <inheritdoc cref="BackgroundLoop.Running"/>
    public Task Running => _loop.Running;

    /// <summary>Adds the garbage of a committed write.</summary>
    /// <param name="left">The number of dead generations or rows; 0 or more.</param>
    public void Add(long left)
    {
        if (left > 0 && Interlocked.Add(ref _left, left) >= _due)
            _ = _loop.RunAsync();
    }

    /// <summary>
    /// Waits before a write until a sweep has ended, for <see cref="LongestWait"/> at most, if there is too much garbage. Otherwise it only reads a counter.
    /// During the pause after a failed sweep it returns at once.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask KeepUpAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Read(ref _left) < _most)
            return;
        try
        {
            await _loop.RunAsync().WaitAsync(LongestWait, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
        }
    }

    /// <summary>Cancels the current sweep and waits for its end.</summary>
    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    // If the sweep fails, the garbage still counts.
    private async ValueTask SweepAsync(Func<long, CancellationToken, ValueTask> sweep, CancellationToken cancellationToken)
    {
        var left = Interlocked.Read(ref _left);
        await sweep(left, cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref _left, -left);
    }
}
