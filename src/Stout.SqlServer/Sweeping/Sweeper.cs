using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// Removes dead rows: from time to time, and as soon as the writes of this process may have left many. Every server of the service sweeps;
/// they don't disturb each other.
/// </summary>
internal sealed class Sweeper : IAsyncDisposable
{
    /// <summary>How long a write waits for a sweep at most. A database that is slower than that has other troubles than dead rows.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(2);

    private readonly TimeProvider _time;
    private readonly SweepDebt _debt = new();
    private readonly SweepSteps _steps;
    private readonly BackgroundLoop _loop;

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        _time = time;
        _steps = new SweepSteps(database, options.Sweeping, time);
        _loop = new BackgroundLoop(time, options.Sweeping.Interval, SweepAsync);
    }

    /// <inheritdoc cref="SweepSteps.StepAsync"/>
    public ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _steps.StepAsync(cancellationToken);

    /// <summary>Before a write: waits for a sweep where dead rows have become too many.</summary>
    public async ValueTask KeepUpAsync(CancellationToken cancellationToken)
    {
        if (_debt.Rows < SweepDebt.Limit)
            return;
        try
        {
            await _loop.RunAsync().WaitAsync(MaxWait, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
        }
    }

    /// <summary>After a write: has its dead rows swept where there may be many.</summary>
    public void Count(WriteBatch batch)
    {
        _debt.Count(batch);
        if (_debt.Rows >= SweepDebt.Due)
            _ = _loop.RunAsync();
    }

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask SweepAsync(CancellationToken cancellationToken)
    {
        var owed = _debt.Rows;
        while (await StepAsync(cancellationToken).ConfigureAwait(false))
        {
        }

        _debt.Pay(owed);
    }
}
