namespace Stout.Storage;

/// <summary>
/// One kind of background work of a store partition, such as its sweeps: whether the last run failed, and how often runs have failed. The client logs
/// and counts the failures of the jobs in <see cref="IStorePartition.BackgroundJobs"/>, and its health is degraded while a job fails. Thread-safe.
/// </summary>
/// <param name="name">The name in logs, metrics and health, such as "sweep". It contains no secret.</param>
public sealed class BackgroundJob(string name)
{
    // The first pause after a failure. Each further failure in a row doubles it.
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private volatile StoreException? _failure;
    private volatile bool _failsInThisRun;
    private Action<StoreException>? _watcher;
    private long _failures;
    private int _inARow;

    /// <summary>The name in logs, metrics and health.</summary>
    public string Name { get; } = name;

    /// <summary>The number of failures so far. A run fails once, or once for each item that it had to skip.</summary>
    public long Failures => Interlocked.Read(ref _failures);

    /// <summary>The latest error; null if the last run succeeded, or before the first run.</summary>
    public StoreException? Failure => _failure;

    /// <summary>Records the start of a run. Without it, a run continues the previous one.</summary>
    public void Begin() => _failsInThisRun = false;

    /// <summary>Records that the run has failed, or that it had to skip an item.</summary>
    /// <param name="error">The error.</param>
    public void Fail(StoreException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        Action<StoreException>? watcher;
        lock (_lock)
        {
            (_failure, _failsInThisRun) = (error, true);
            _failures++;
            _inARow++;
            watcher = _watcher;
        }

        watcher?.Invoke(error);
    }

    /// <summary>Records the end of a run. If the run called <see cref="Fail"/>, the job still counts as failing.</summary>
    public void End()
    {
        if (_failure is null || _failsInThisRun)
            return;
        lock (_lock)
            (_failure, _inARow) = (null, 0);
    }

    /// <summary>
    /// The pause before the next run of a failing job: 1 s after the first failure, and twice as long after each further one. During the pause, requests
    /// for a run are ignored, so that a write never waits for a run that will fail.
    /// </summary>
    /// <param name="longest">The longest pause: the interval of the runs.</param>
    public TimeSpan PauseAfterFailure(TimeSpan longest)
    {
        lock (_lock)
        {
            var pause = FirstPause * Math.Pow(2, Math.Clamp(_inARow - 1, 0, 20));
            return pause < longest ? pause : longest;
        }
    }

    /// <summary>Calls back for each failure from now on, and for the present one.</summary>
    internal void Watch(Action<StoreException> watcher)
    {
        lock (_lock)
            _watcher = watcher;
        if (_failure is { } failure)
            watcher(failure);
    }
}
