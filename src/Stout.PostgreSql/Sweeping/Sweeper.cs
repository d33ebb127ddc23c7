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

    private const int DefaultBatchSize = 4_096;

    private readonly StoreCalls _calls;
    private readonly SessionPool _sessions;
    private readonly StoreSweepOptions _options;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;
    private long _sweptAt;
    private int _generations;

    public Sweeper(StoreCalls calls, SessionPool sessions, StoreSweepOptions options, TimeProvider time)
    {
        _calls = calls;
        _sessions = sessions;
        _options = options;
        _time = time;
        _sweptAt = time.GetTimestamp();
        _loop = new BackgroundLoop(time, options.Interval, RunAsync);
    }

    /// <summary>A transaction of this client has ended generations.</summary>
    public void NoteGarbage(int generations)
    {
        if (generations > 0 && Interlocked.Add(ref _generations, generations) >= StartAt)
            _ = _loop.RunAsync();
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
    public async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
        {
        }

        Volatile.Write(ref _sweptAt, _time.GetTimestamp());
    }

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    /// <summary>Sweeps all once in an interval. In between, steps that remove fewer generations than <see cref="StartAt"/> cost too much.</summary>
    private async ValueTask RunAsync(CancellationToken cancellationToken)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _sweptAt)) >= _options.Interval)
        {
            await SweepAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        while (Volatile.Read(ref _generations) >= StartAt && await StepAsync(cancellationToken).ConfigureAwait(false))
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
                static (session, options, token) => session.Sweep.RunAsync(options.BatchSize ?? DefaultBatchSize, options.Retention, token), sweeper._options, token),
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
