namespace Stout.SqlServer.Client;

/// <summary>
/// Ends a call that the server has been silent on for too long. A large object takes its time to arrive, and each row that has arrived grants the
/// full time again: an object that could be written in several requests can be read in one.
/// </summary>
internal sealed class SilenceLimit : IDisposable
{
    private readonly TimeSpan _limit;
    private readonly CancellationTokenSource _end;
    private readonly CancellationTokenRegistration _caller;

    /// <param name="limit">How long the server may be silent.</param>
    /// <param name="time">Measures it.</param>
    /// <param name="caller">Ends the call too.</param>
    public SilenceLimit(TimeSpan limit, TimeProvider time, CancellationToken caller)
    {
        _limit = limit;
        _end = new CancellationTokenSource(limit, time);
        _caller = caller.UnsafeRegister(static end => ((CancellationTokenSource)end!).Cancel(), _end);
    }

    /// <summary>Fires when the server has been silent for too long, or the caller has given up.</summary>
    public CancellationToken Token => _end.Token;

    /// <summary>The server has sent something.</summary>
    public void Heard() => _end.CancelAfter(_limit);

    public void Dispose()
    {
        _caller.Dispose();
        _end.Dispose();
    }
}
