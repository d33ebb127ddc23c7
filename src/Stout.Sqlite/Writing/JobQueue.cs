using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// The queue of jobs for the threads of one file. It is bounded, and each job has a time limit before its start. A thread without a job sleeps at
/// once: spinning first would take the processor from the callers whose jobs it waits for.
/// </summary>
internal sealed class JobQueue<TContext>(SqliteOptions options, TimeProvider time)
{
    /// <summary>
    /// The most queued jobs. Lanes keep few requests in flight, so only other callers could reach the limit. While the threads hang, withdrawn jobs stay in
    /// the queue; each takes some 200 bytes.
    /// </summary>
    private const int MostJobs = 4_096;

    private readonly Queue<Job<TContext>> _jobs = new();
    private bool _isClosed;

    /// <summary>The number of jobs not started, including withdrawn ones.</summary>
    public int Count
    {
        get
        {
            lock (_jobs)
                return _jobs.Count;
        }
    }

    /// <summary>Runs work on one of the threads.</summary>
    /// <exception cref="OperationCanceledException">The work was withdrawn before its start.</exception>
    /// <exception cref="StoreException">The store is closed or busy, and the work was not started; or the work failed.</exception>
    public Task ExecuteAsync(Action<TContext> work, CancellationToken cancellationToken)
    {
        var job = new Job<TContext>(work);
        return TryAdd(job) is { } refusal ? Task.FromException(refusal) : job.WaitAsync(options.QueueTimeout, time, cancellationToken);
    }

    /// <summary>Queues work without waiting for it, unless the queue is full or closed.</summary>
    public void Post(Action<TContext> work) => TryAdd(new Job<TContext>(work));

    /// <summary>The next job, or null.</summary>
    public Job<TContext>? TryTake()
    {
        lock (_jobs)
            return _jobs.TryDequeue(out var job) ? job : null;
    }

    /// <summary>Waits for the next job; null when the queue is closed and empty.</summary>
    public Job<TContext>? Take()
    {
        lock (_jobs)
        {
            while (_jobs.Count == 0 && !_isClosed)
                Monitor.Wait(_jobs);
            return _jobs.TryDequeue(out var job) ? job : null;
        }
    }

    /// <summary>Closes the queue for new jobs.</summary>
    public void Close()
    {
        lock (_jobs)
        {
            _isClosed = true;
            Monitor.PulseAll(_jobs);
        }
    }

    /// <returns>Why the job was refused; null if it was added.</returns>
    private StoreException? TryAdd(Job<TContext> job)
    {
        lock (_jobs)
        {
            if (_isClosed)
                return new StoreException(StoreErrorKind.Refused, "The store has been closed.");
            if (_jobs.Count == MostJobs)
                return new StoreException(StoreErrorKind.Overloaded, "Too many requests wait for the file.");
            _jobs.Enqueue(job);
            Monitor.Pulse(_jobs);
            return null;
        }
    }
}
