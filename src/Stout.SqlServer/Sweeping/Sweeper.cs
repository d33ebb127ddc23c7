using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// Removes dead rows at an interval, and earlier after many writes of this process. Every process of the service sweeps, without disturbing the others.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    private readonly SweepDebt _debt = new();
    private readonly SweepSteps _steps;

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        Backlog = new SweepBacklog(time, options.Sweeping.Interval, SweepDebt.Due, SweepDebt.Limit, (_, token) => SweepAsync(token));
        _steps = new SweepSteps(database, options.Sweeping, time, Backlog.Job);
    }

    /// <summary>The dead rows that writes of this process have left.</summary>
    public SweepBacklog Backlog { get; }

    /// <inheritdoc cref="SweepSteps.StepAsync"/>
    public ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _steps.StepAsync(cancellationToken);

    /// <summary>Counts a write's dead rows, and starts a sweep if there may be many.</summary>
    public void Count(WriteBatch batch) => Backlog.Add(_debt.Count(batch));

    public ValueTask DisposeAsync() => Backlog.DisposeAsync();

    private async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
        {
        }
    }
}
