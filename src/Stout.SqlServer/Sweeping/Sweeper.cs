using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// Removes dead rows: from time to time, and as soon as the writes of this process may have left many. Every server of the service sweeps;
/// they don't disturb each other.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    private readonly SweepBacklog _backlog;
    private readonly SweepDebt _debt = new();
    private readonly SweepSteps _steps;
    private readonly BackgroundLoop _loop;

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        _backlog = new SweepBacklog(SweepDebt.Due, SweepDebt.Limit, time);
        _steps = new SweepSteps(database, options.Sweeping, time);
        _loop = new BackgroundLoop(time, options.Sweeping.Interval, token => _backlog.SweepAsync(SweepAsync, token));
    }

    /// <inheritdoc cref="SweepSteps.StepAsync"/>
    public ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _steps.StepAsync(cancellationToken);

    /// <inheritdoc cref="SweepBacklog.KeepUpAsync"/>
    public ValueTask KeepUpAsync(CancellationToken cancellationToken) => _backlog.KeepUpAsync(_loop, cancellationToken);

    /// <summary>After a write: has its dead rows swept where there may be many.</summary>
    public void Count(WriteBatch batch) => _backlog.Add(_debt.Count(batch), _loop);

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
        {
        }
    }
}
