using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Sweeping;

/// <summary>
/// Removes, in small transactions, the rows that no reader can reach any more: those of generations that have ended, and deleted headers
/// whose time is over. Every client of a store partition has one; they never wait for each other.
/// </summary>
/// <remarks>
/// Sweeping keeps up with writing: it starts when this client has ended <see cref="StartAt"/> generations, and beyond
/// <see cref="MostGenerations"/> a write request sweeps before it ends. So the garbage of one client is at most the rows of so many replaced
/// or deleted objects, besides those of the requests in flight.
/// </remarks>
internal sealed class Sweeper : IAsyncDisposable
{
    /// <summary>How many ended generations a step is worth: fewer would cost a transaction for little.</summary>
    internal const int StartAt = 64;

    /// <summary>How many ended generations of this client may be left before its write requests help.</summary>
    internal const int MostGenerations = 256;

    private const int RowsPerStep = 4_096;
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(15);

    private readonly StoreCalls _calls;
    private readonly SessionPool _sessions;
    private readonly TimeSpan _retention;
    private readonly CancellationTokenSource _stop = new();
    private readonly ITimer _timer;
    private readonly Lock _starting = new();
    private Task _run = Task.CompletedTask;
    private int _generations;

    public Sweeper(StoreCalls calls, SessionPool sessions, TimeSpan retention, TimeProvider time)
    {
        _calls = calls;
        _sessions = sessions;
        _retention = retention;
        _timer = time.CreateTimer(static sweeper => ((Sweeper)sweeper!).Start(isThorough: true), this, Interval, Interval);
    }

    /// <summary>A transaction of this client has ended generations.</summary>
    public void NoteGarbage(int generations)
    {
        if (generations > 0 && Interlocked.Add(ref _generations, generations) >= StartAt)
            Start(isThorough: false);
    }

    /// <summary>Sweeps while more generations have ended than may be left. Costs a look at a number otherwise.</summary>
    public ValueTask KeepUpAsync(CancellationToken cancellationToken) =>
        Volatile.Read(ref _generations) > MostGenerations ? CatchUpAsync(cancellationToken) : default;

    private async ValueTask CatchUpAsync(CancellationToken cancellationToken)
    {
        while (Volatile.Read(ref _generations) > MostGenerations && await TryStepAsync(cancellationToken).ConfigureAwait(false))
        {
        }
    }

    /// <summary>Removes all that can be removed now.</summary>
    /// <exception cref="StoreException">The database can't be used now.</exception>
    public async Task SweepAsync(CancellationToken cancellationToken)
    {
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
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

    private void Start(bool isThorough)
    {
        lock (_starting)
        {
            if (_run.IsCompleted && !_stop.IsCancellationRequested)
                _run = Task.Run(() => RunAsync(isThorough));
        }
    }

    private async Task RunAsync(bool isThorough)
    {
        while ((isThorough || Volatile.Read(ref _generations) >= StartAt) && await TryStepAsync(_stop.Token).ConfigureAwait(false))
        {
        }
    }

    /// <returns>Whether a step was made that found something to remove.</returns>
    private async ValueTask<bool> TryStepAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await StepAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is StoreException or OperationCanceledException)
        {
            // A later step finds the same garbage. Writers report what is wrong with the database.
            return false;
        }
    }

    private async ValueTask<bool> StepAsync(CancellationToken cancellationToken)
    {
        var (removed, finished) = await _calls.RunAsync(
            static (sweeper, token) => sweeper._sessions.RunAsync(
                static (session, retention, token) => session.Sweep.RunAsync(RowsPerStep, retention, token), sweeper._retention, token),
            this,
            cancellationToken).ConfigureAwait(false);

        Forget(removed == 0 ? int.MaxValue : finished);
        return removed > 0;
    }

    /// <summary>Counts generations as swept. Some may be another client's, which may sweep this one's in turn.</summary>
    private void Forget(int generations)
    {
        int before;
        do
            before = Volatile.Read(ref _generations);
        while (Interlocked.CompareExchange(ref _generations, Math.Max(0, before - generations), before) != before);
    }
}
