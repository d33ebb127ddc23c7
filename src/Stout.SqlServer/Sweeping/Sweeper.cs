using System.Threading.Channels;
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
    private readonly CancellationTokenSource _stopping = new();
    private readonly Channel<bool> _due = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private readonly ITimer _timer;
    private readonly Task _sweeping;
    private TaskCompletionSource _sweepEnds = NewEnd();

    public Sweeper(Database database, SqlServerOptions options, TimeProvider time)
    {
        _time = time;
        _steps = new SweepSteps(database, options.DeletedHeaderRetention, time);
        _timer = time.CreateTimer(static due => ((ChannelWriter<bool>)due!).TryWrite(true), _due.Writer, options.SweepInterval, options.SweepInterval);
        _sweeping = Task.Run(SweepAsync);
    }

    /// <inheritdoc cref="SweepSteps.StepAsync"/>
    public ValueTask<bool> StepAsync(CancellationToken cancellationToken) => _steps.StepAsync(cancellationToken);

    /// <summary>Before a write: waits for a sweep where dead rows have become too many.</summary>
    public async ValueTask KeepUpAsync(CancellationToken cancellationToken)
    {
        var end = Volatile.Read(ref _sweepEnds).Task;
        if (_debt.Rows < SweepDebt.Limit)
            return;
        try
        {
            _due.Writer.TryWrite(true);
            await end.WaitAsync(MaxWait, _time, cancellationToken).ConfigureAwait(false);
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
            _due.Writer.TryWrite(true);
    }

    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        _due.Writer.TryComplete();
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _sweeping.ConfigureAwait(false);
        _stopping.Dispose();
    }

    private async Task SweepAsync()
    {
        await foreach (var _ in _due.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            var owed = _debt.Rows;
            try
            {
                while (!_stopping.IsCancellationRequested && await StepAsync(_stopping.Token).ConfigureAwait(false))
                {
                }

                _debt.Pay(owed);
            }
            catch (Exception error) when (error is StoreException or OperationCanceledException)
            {
                // The rows stay for a later sweep, when the server is well again.
            }

            Interlocked.Exchange(ref _sweepEnds, NewEnd()).SetResult();
        }
    }

    private static TaskCompletionSource NewEnd() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
