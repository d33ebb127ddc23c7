using System.Diagnostics;

namespace Stout.Storage;

/// <summary>
/// Runs a proxy's background work, such as sweeps, one run after another: at an interval, and at once on request. A failed run is repeated after a pause
/// (<see cref="BackgroundJob.PauseAfterFailure"/>), or after the delay that the store asks for if it is longer. Requests during the pause are ignored.
/// </summary>
public sealed class BackgroundLoop : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly TimeSpan _interval;
    private readonly BackgroundJob _job;
    private readonly Func<CancellationToken, ValueTask> _work;
    private readonly ITimer _timer;
    private Task _running = Task.CompletedTask;
    private bool _isRunning;
    private bool _isRequested;
    private bool _isPausing;
    private bool _isStopped;

    /// <summary>Starts the loop.</summary>
    /// <param name="timeProvider">The clock of the interval.</param>
    /// <param name="interval">The time between the end of a run and the start of the next. Above 0.</param>
    /// <param name="job">Records the outcome of each run. A proxy lists it in <see cref="IStorePartition.BackgroundJobs"/>.</param>
    /// <param name="work">One run. It must end soon after its token fires.</param>
    /// <param name="first">The time before the first run. Default: the interval.</param>
    public BackgroundLoop(
        TimeProvider timeProvider,
        TimeSpan interval,
        BackgroundJob job,
        Func<CancellationToken, ValueTask> work,
        TimeSpan? first = null)
    {
        ArgumentNullException.ThrowIfNull(timeProvider);
        ArgumentNullException.ThrowIfNull(job);
        ArgumentNullException.ThrowIfNull(work);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        _interval = interval;
        _job = job;
        _work = work;

        // The timer starts only after the field is set: without a delay, it may fire before CreateTimer has returned.
        _timer = timeProvider.CreateTimer(
            static loop => ((BackgroundLoop)loop!).BeginAtTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(first ?? interval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The current run, or a completed task. It never fails.</summary>
    public Task Running
    {
        get
        {
            lock (_lock)
                return _running;
        }
    }

    /// <summary>Starts a run now, or after the current one. During the pause after a failed run, no run starts.</summary>
    /// <returns>Completes when the current run has ended, successfully or not.</returns>
    public Task RunAsync()
    {
        lock (_lock)
        {
            if (_isRunning)
                _isRequested = true;
            else if (!_isStopped && !_isPausing)
                Begin();
            return _running;
        }
    }

    /// <summary>Cancels the current run and waits for its end.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            if (_isStopped)
                return;
            _isStopped = true;
        }

        await _timer.DisposeAsync().ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        await Running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private void BeginAtTime()
    {
        lock (_lock)
            _isPausing = false;
        _ = RunAsync();
    }

    private void Begin()
    {
        (_isRunning, _isRequested) = (true, false);

        // Synchronous work must not run inside the lock.
        _running = Task.Run(WorkAsync);
    }

    private async Task WorkAsync()
    {
        Activity.Current = null; // The loop may have been created or requested within a caller's span, which its work is no part of.
        var wait = _interval;
        var hasFailed = false;
        try
        {
            _job.Begin();
            await _work(_stop.Token).ConfigureAwait(false);
            _job.End();
        }
        catch (Exception) when (_stop.IsCancellationRequested)
        {
            return;
        }
        catch (Exception error)
        {
            hasFailed = true;
            var failure = error as StoreException ?? new StoreException(StoreErrorKind.Unknown, "Background work failed.", error);
            _job.Fail(failure);
            wait = _job.PauseAfterFailure(_interval);
            if (failure.RetryAfter > wait)
                wait = failure.RetryAfter.Value;
        }

        lock (_lock)
        {
            _isRunning = false;
            if (_isStopped)
                return;
            _isPausing = hasFailed;
            if (_isRequested && !hasFailed)
                Begin();
            else
                _timer.Change(wait, Timeout.InfiniteTimeSpan);
        }
    }
}
