using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// Removes dead rows at an interval, and earlier after many writes of this process. Every process of the service sweeps, without disturbing the others.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    private readonly SweepBacklog _backlog;
    private readonly SweepDebt _debt = new();
    private readonly SweepSteps _steps;
    private readonly BackgroundLoop _loop;

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        _backlog = new SweepBacklog(SweepDebt.Due, SweepDebt.Limit);
        _steps = new SweepSteps(database, options.Sweeping, time, Job);
        _loop = new BackgroundLoop(time, options.Sweeping.Interval, Job, token => _backlog.SweepAsync(SweepAsync, token));
    }

    /// <summary>The outcome of the sweeps.</summary>
    public BackgroundJob Job { get; } = new("sweep");

    /// <inheritdoc cref="SweepSteps.StepAsync"/>
    public ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _steps.StepAsync(cancellationToken);

    /// <inheritdoc cref="SweepBacklog.KeepUpAsync"/>
    public ValueTask KeepUpAsync(CancellationToken cancellationToken) => _backlog.KeepUpAsync(_loop, cancellationToken);

    /// <summary>Counts a write's dead rows, and starts a sweep if there may be many.</summary>
    public void Count(WriteBatch batch) => _backlog.Add(_debt.Count(batch), _loop);

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
        {
        }
    }
}
