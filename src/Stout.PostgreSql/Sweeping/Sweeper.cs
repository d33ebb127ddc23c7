using Stout.PostgreSql.Diagnostics;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Sweeping;

/// <summary>
/// Removes, in small transactions, rows that no reader can reach: those of ended generations, and expired deleted headers. Every client sweeps each
/// store partition; clients never wait for each other.
/// </summary>
/// <remarks>
/// Sweeping keeps up with writing: it starts after this client has ended <see cref="StartAt"/> generations. Beyond <see cref="MostGenerations"/> a write
/// request waits for the sweep. The garbage of one client is therefore bounded by the rows of <see cref="MostGenerations"/> objects, plus those of requests
/// in flight.
/// </remarks>
internal sealed class Sweeper : IAsyncDisposable
{
    /// <summary>The number of ended generations that starts a sweep: fewer would not be worth a transaction.</summary>
    internal const int StartAt = 64;

    /// <summary>The number of ended generations of this client above which its write requests wait for a sweep.</summary>
    internal const int MostGenerations = 256;

    private const int DefaultBatchSize = 4_096;

    private readonly StoreCalls _calls;
    private readonly SessionPool _sessions;
    private readonly StoreSweepOptions _options;
    private readonly SnapshotWatch _snapshots;
    private readonly TimeProvider _time;
    private long _sweptAt;

    public Sweeper(StoreCalls calls, SessionPool sessions, StoreSweepOptions options, SnapshotWatch snapshots, TimeProvider time)
    {
        _calls = calls;
        _sessions = sessions;
        _options = options;
        _snapshots = snapshots;
        _time = time;
        _sweptAt = time.GetTimestamp();
        Backlog = new SweepBacklog(time, options.Interval, StartAt, MostGenerations, RunAsync);
    }

    /// <summary>The generations that transactions of this client have ended.</summary>
    public SweepBacklog Backlog { get; }

    /// <summary>Removes everything that is due.</summary>
    /// <exception cref="StoreException">The database cannot be used now.</exception>
    public async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        while ((await StepAsync(cancellationToken).ConfigureAwait(false)).Removed > 0)
        {
        }

        Volatile.Write(ref _sweptAt, _time.GetTimestamp());
    }

    public ValueTask DisposeAsync() => Backlog.DisposeAsync();

    /// <summary>
    /// Once in an interval, measures the oldest snapshot and sweeps everything. Between intervals, sweeps only as many generations as this client had ended
    /// before: the rest would cost too many small steps.
    /// </summary>
    private async ValueTask RunAsync(long generations, CancellationToken cancellationToken)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _sweptAt)) >= _options.Interval)
        {
            await LookAsync(cancellationToken).ConfigureAwait(false);
            await SweepAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        while (generations > 0)
        {
            var (removed, finished) = await StepAsync(cancellationToken).ConfigureAwait(false);
            if (removed == 0)
                return;

            // Some generations may be another client's, which sweeps this client's in turn.
            generations -= finished;
        }
    }

    /// <summary>Measures what keeps the space of removed rows in use.</summary>
    private async ValueTask LookAsync(CancellationToken cancellationToken)
    {
        var (age, seesAll) = await _calls.RunAsync(
            static (sessions, token) => sessions.RunAsync(static (session, _, token) => session.Snapshots.ReadAsync(token), 0, token),
            _sessions,
            cancellationToken).ConfigureAwait(false);
        _snapshots.Note(age, seesAll);
    }

    /// <inheritdoc cref="SweepCommand.RunAsync"/>
    private ValueTask<(int Removed, int Finished)> StepAsync(CancellationToken cancellationToken) => _calls.RunAsync(
        static (sweeper, token) => sweeper._sessions.RunAsync(
            static (session, options, token) => session.Sweep.RunAsync(options.BatchSize ?? DefaultBatchSize, options.Retention, token), sweeper._options, token),
        this,
        cancellationToken);
}
