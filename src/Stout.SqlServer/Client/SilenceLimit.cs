namespace Stout.SqlServer.Client;

/// <summary>
/// Ends a call after the server has been silent for too long. Each received row restarts the limit, so a large object can be read in one request.
/// </summary>
internal sealed class SilenceLimit : IDisposable
{
    private readonly TimeSpan _limit;
    private readonly CancellationTokenSource _end;
    private readonly CancellationTokenRegistration _caller;

    /// <param name="limit">The longest silence.</param>
    /// <param name="time">The clock.</param>
    /// <param name="caller">The caller's token, which ends the call too.</param>
    public SilenceLimit(TimeSpan limit, TimeProvider time, CancellationToken caller)
    {
        _limit = limit;
        _end = new CancellationTokenSource(limit, time);
        _caller = caller.UnsafeRegister(static end => ((CancellationTokenSource)end!).Cancel(), _end);
    }

    /// <summary>Fires after too long a silence, or after the caller's cancellation.</summary>
    public CancellationToken Token => _end.Token;

    /// <summary>Restarts the limit after received data.</summary>
    public void Heard() => _end.CancelAfter(_limit);

    public void Dispose()
    {
        _caller.Dispose();
        _end.Dispose();
    }
}
