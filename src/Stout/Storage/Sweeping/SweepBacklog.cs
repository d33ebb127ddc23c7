namespace Stout.Storage;

/// <summary>
/// Has sweeping keep up with writing. It counts the dead generations that this process has left in a store partition since the last sweep. From
/// <paramref name="due"/> on a sweep begins at once, and from <paramref name="most"/> on each write waits for it, 2 s at most. So the rows that wait
/// for a sweep are at most those of about <paramref name="most"/> objects and of the writes in flight, as long as a sweep takes less than that.
/// </summary>
/// <param name="due">How many dead generations are worth a sweep. 1 or more.</param>
/// <param name="most">How many there may be before writes wait. At least <paramref name="due"/>.</param>
/// <param name="timeProvider">The clock of the waits.</param>
public sealed class SweepBacklog(int due, int most, TimeProvider timeProvider)
{
    // A store whose sweeps take longer has other trouble than dead rows, and a write must not use up its own time limit here.
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(2);

    private long _generations;

    /// <summary>Notes that writes have left dead generations.</summary>
    /// <param name="generations">How many; 0 or more.</param>
    /// <param name="loop">Runs the sweeps.</param>
    public void Add(int generations, BackgroundLoop loop)
    {
        ArgumentNullException.ThrowIfNull(loop);
        if (generations > 0 && Interlocked.Add(ref _generations, generations) >= due)
            _ = loop.RunAsync();
    }

    /// <summary>Before a write: waits for a sweep where too many dead generations are left. Costs a look at a number otherwise.</summary>
    /// <param name="loop">Runs the sweeps.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    public ValueTask KeepUpAsync(BackgroundLoop loop, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(loop);
        return Interlocked.Read(ref _generations) < most ? default : WaitAsync(loop, cancellationToken);
    }

    /// <summary>Runs a sweep of all that is dead now. If it fails, the generations count as left.</summary>
    /// <param name="sweep">The sweep.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async ValueTask SweepAsync(Func<CancellationToken, ValueTask> sweep, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(sweep);
        var left = Interlocked.Read(ref _generations);
        await sweep(cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref _generations, -left);
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
