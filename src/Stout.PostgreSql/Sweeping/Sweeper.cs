using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Sweeping;

/// <summary>
/// Removes, in small transactions, what no reader can reach any more: the rows of generations that have ended, and deleted headers whose
/// time is over. Every client of a store partition has one; they never wait for each other.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    private const int RowsPerStep = 256;
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(15);

    private readonly StoreCalls _calls;
    private readonly SessionPool _sessions;
    private readonly TimeSpan _retention;
    private readonly CancellationTokenSource _stop = new();
    private readonly ITimer _timer;
    private readonly Lock _starting = new();
    private Task _run = Task.CompletedTask;

    public Sweeper(StoreCalls calls, SessionPool sessions, TimeSpan retention, TimeProvider time)
    {
        _calls = calls;
        _sessions = sessions;
        _retention = retention;
        _timer = time.CreateTimer(static sweeper => ((Sweeper)sweeper!).Start(), this, Interval, Interval);
    }

    /// <summary>Removes all that can be removed now.</summary>
    /// <exception cref="StoreException">The database was not to be had.</exception>
    public async Task SweepAsync(CancellationToken cancellationToken)
    {
        while (await _calls.RunAsync(static (sweeper, token) => sweeper.StepAsync(token), this, cancellationToken).ConfigureAwait(false))
        {
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        Task run;
        lock (_starting)
            run = _run;
        await run.ConfigureAwait(false);
        _stop.Dispose();
    }

    private void Start()
    {
        lock (_starting)
        {
            if (_run.IsCompleted && !_stop.IsCancellationRequested)
                _run = Task.Run(RunAsync);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            await SweepAsync(_stop.Token).ConfigureAwait(false);
        }
        catch (Exception error) when (error is StoreException or OperationCanceledException)
        {
            // Nothing waits for it, and the next time finds it still there. Writers report what is wrong with the database.
        }
    }

    private ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _sessions.RunAsync(
        static (session, retention, token) => session.Sweep.RunAsync(RowsPerStep, retention, token), _retention, cancellationToken);
}
