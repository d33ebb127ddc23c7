namespace Stout.Storage;

/// <summary>
/// Has sweeping keep up with writing. It counts what this process has left to the sweeper of a store partition since the last sweep: dead generations
/// or dead rows, as the store can tell. From <paramref name="due"/> on a sweep begins at once, and from <paramref name="most"/> on each write waits for it, 2 s
/// at most. So about <paramref name="most"/> wait for a sweep, and those of the writes in flight, as long as a sweep takes less than that.
/// </summary>
/// <param name="due">How many are worth a sweep. 1 or more.</param>
/// <param name="most">How many there may be before writes wait. At least <paramref name="due"/>.</param>
/// <param name="timeProvider">The clock of the waits.</param>
public sealed class SweepBacklog(int due, int most, TimeProvider timeProvider)
{
    // A store whose sweeps take longer has other trouble than dead rows, and a write must not use up its own time limit here.
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(2);

    private long _left;

    /// <summary>Notes what a write has left to the sweeper.</summary>
    /// <param name="left">How many; 0 or more.</param>
    /// <param name="loop">Runs the sweeps.</param>
    public void Add(long left, BackgroundLoop loop)
    {
        ArgumentNullException.ThrowIfNull(loop);
        if (left > 0 && Interlocked.Add(ref _left, left) >= due)
            _ = loop.RunAsync();
    }

    /// <summary>Before a write: waits for a sweep where too many are left. Costs a look at a number otherwise.</summary>
    /// <param name="loop">Runs the sweeps.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    public ValueTask KeepUpAsync(BackgroundLoop loop, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(loop);
        return Interlocked.Read(ref _left) < most ? default : WaitAsync(loop, cancellationToken);
    }

    /// <summary>Runs a sweep of all that is left now. If it fails, all of it still counts as left.</summary>
    /// <param name="sweep">The sweep.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async ValueTask SweepAsync(Func<CancellationToken, ValueTask> sweep, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(sweep);
        var left = Interlocked.Read(ref _left);
        await sweep(cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref _left, -left);
    }

    private async ValueTask WaitAsync(BackgroundLoop loop, CancellationToken cancellationToken)
    {
        try
        {
            await loop.RunAsync().WaitAsync(LongestWait, timeProvider, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
        }
    }
}
