namespace Stout.Storage;

/// <summary>
/// Runs a proxy's background work, such as a store partition's sweeps: one run after another, at an interval, and at once on request. A run
/// that fails is repeated at the next interval, or after the time that the store asks for.
/// </summary>
public sealed class BackgroundLoop : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly TimeSpan _interval;
    private readonly Func<CancellationToken, ValueTask> _work;
    private readonly Action<StoreException>? _onFailure;
    private readonly ITimer _timer;
    private Task _running = Task.CompletedTask;
    private bool _isRunning;
    private bool _isRequested;
    private bool _isStopped;

    /// <summary>Starts the loop.</summary>
    /// <param name="timeProvider">The clock that the interval is counted by.</param>
    /// <param name="interval">The time from the end of a run to the beginning of the next. Above 0.</param>
    /// <param name="work">One run. It has to end soon after its token fires.</param>
    /// <param name="onFailure">Called with the error of each run that fails. Default: errors are dropped, since a later run finds the same work.</param>
    /// <param name="first">When the first run begins. Default: after the interval.</param>
    public BackgroundLoop(
        TimeProvider timeProvider,
        TimeSpan interval,
        Func<CancellationToken, ValueTask> work,
        Action<StoreException>? onFailure = null,
        TimeSpan? first = null)
    {
        ArgumentNullException.ThrowIfNull(timeProvider);
        ArgumentNullException.ThrowIfNull(work);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        _interval = interval;
        _work = work;
        _onFailure = onFailure;

        // A timer without delay may fire before it has been returned.
        _timer = timeProvider.CreateTimer(
            static loop => _ = ((BackgroundLoop)loop!).RunAsync(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(first ?? interval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The run that is under way. Completed if there is none; it never fails.</summary>
    public Task Running
    {
        get
        {
            lock (_lock)
                return _running;
        }
    }

    /// <summary>Has a run begin now, or when the one under way has ended.</summary>
    /// <returns>Completes when the run that is under way has ended, whether it succeeds or fails.</returns>
    public Task RunAsync()
    {
        lock (_lock)
        {
            if (_isRunning)
                _isRequested = true;
            else if (!_isStopped)
                Begin();
            return _running;
        }
    }

    /// <summary>Cancels the run that is under way, and waits for its end.</summary>
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

    private void Begin()
    {
        (_isRunning, _isRequested) = (true, false);

        // Work that does not wait for anything must not run inside the lock.
        _running = Task.Run(WorkAsync);
    }

    private async Task WorkAsync()
    {
        var wait = _interval;
        var hasFailed = false;
        try
        {
            await _work(_stop.Token).ConfigureAwait(false);
        }
        catch (Exception) when (_stop.IsCancellationRequested)
        {
            return;
        }
        catch (Exception error)
        {
            hasFailed = true;
            var failure = error as StoreException ?? new StoreException(StoreErrorKind.Unknown, "Background work failed.", error);
            _onFailure?.Invoke(failure);
            if (failure.RetryAfter > wait)
                wait = failure.RetryAfter.Value;
        }

        lock (_lock)
        {
            _isRunning = false;
            if (_isStopped)
                return;
            if (_isRequested && !hasFailed)
                Begin();
            else
                _timer.Change(wait, Timeout.InfiniteTimeSpan);
        }
    }
}
