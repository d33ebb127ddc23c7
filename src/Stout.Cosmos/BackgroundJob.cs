namespace Stout.Cosmos;

/// <summary>Work that is done once its time has come, and again when it says so; never twice at the same moment.</summary>
internal sealed class BackgroundJob : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<CancellationToken, Task<TimeSpan?>> _work;
    private readonly ITimer _timer;
    private Task _running = Task.CompletedTask;
    private bool _isArmed;
    private bool _isDisposed;

    /// <param name="time">Says when it is time.</param>
    /// <param name="work">Must not throw, but for cancellation; returns after how long it wants to be called again, or null.</param>
    public BackgroundJob(TimeProvider time, Func<CancellationToken, Task<TimeSpan?>> work)
    {
        _work = work;
        _timer = time.CreateTimer(static job => ((BackgroundJob)job!).Begin(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ends when what has begun is done.</summary>
    public Task Running
    {
        get
        {
            lock (_lock)
                return _running;
        }
    }

    /// <summary>Has the work done after a delay, unless it is already to be done.</summary>
    public void Arm(TimeSpan delay)
    {
        lock (_lock)
        {
            if (_isArmed || _isDisposed)
                return;
            _isArmed = true;
            _timer.Change(delay, Timeout.InfiniteTimeSpan);
        }
    }

    public async ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
        }

        await _timer.DisposeAsync().ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        await Running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private void Begin()
    {
        lock (_lock)
        {
            if (_isDisposed)
                return;
            _isArmed = false;
            _running = RunAsync(_running);
        }
    }

    private async Task RunAsync(Task before)
    {
        // Work that does not wait for anything must not run inside the lock.
        await before.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            if (await _work(_stop.Token).ConfigureAwait(false) is { } again)
                Arm(again);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The store is being closed.
        }
    }
}
