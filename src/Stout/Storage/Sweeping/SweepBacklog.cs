namespace Stout.Storage;

/// <summary>
/// Keeps sweeping as fast as writing. It counts the garbage (dead generations or rows) that this process has left in a store partition since the last
/// sweep. At <paramref name="due"/> a sweep starts at once. At <paramref name="most"/> each write waits for the sweep (<see
/// cref="BackgroundLoop.KeepUpAsync"/>).
/// </summary>
/// <param name="due">The garbage that starts a sweep. 1 or more.</param>
/// <param name="most">The garbage at which writes wait. At least <paramref name="due"/>.</param>
public sealed class SweepBacklog(int due, int most)
{
    private long _left;

    /// <summary>Adds the garbage of a write.</summary>
    /// <param name="left">The number of dead generations or rows; 0 or more.</param>
    /// <param name="loop">Runs the sweeps.</param>
    public void Add(long left, BackgroundLoop loop)
    {
        ArgumentNullException.ThrowIfNull(loop);
        if (left > 0 && Interlocked.Add(ref _left, left) >= due)
            _ = loop.RunAsync();
    }

    /// <summary>Waits for a sweep before a write if there is too much garbage; otherwise it only reads a counter.</summary>
    /// <param name="loop">Runs the sweeps.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask KeepUpAsync(BackgroundLoop loop, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(loop);
        return Interlocked.Read(ref _left) < most ? default : loop.KeepUpAsync(cancellationToken);
    }

    /// <summary>Runs a sweep of all present garbage. If it fails, the garbage still counts.</summary>
    /// <param name="sweep">The sweep.</param>
    /// <param name="cancellationToken">Ends the sweep.</param>
    public async ValueTask SweepAsync(Func<CancellationToken, ValueTask> sweep, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(sweep);
        var left = Interlocked.Read(ref _left);
        await sweep(cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref _left, -left);
    }
}
