using System.Collections.Concurrent;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The queue of jobs for the threads of one file. It is bounded, and each job has a time limit before its start.</summary>
internal sealed class JobQueue<TContext>(SqliteOptions options, TimeProvider time) : IDisposable
{
    /// <summary>
    /// The most queued jobs. Lanes keep few requests in flight, so only other callers could reach the limit. Each withdrawn job of a hanging thread
    /// takes some 200 bytes.
    /// </summary>
    private const int MostJobs = 4_096;

    private readonly BlockingCollection<Job<TContext>> _jobs = new(MostJobs);
    private volatile bool _isClosed;

    /// <summary>The number of jobs not started, including withdrawn ones.</summary>
    public int Count => _jobs.Count;

    /// <summary>Runs work on one of the threads.</summary>
    /// <exception cref="OperationCanceledException">The work was withdrawn before its start.</exception>
    /// <exception cref="StoreException">The store is closed or busy, and the work was not started; or the work failed.</exception>
    public Task ExecuteAsync(Action<TContext> work, CancellationToken cancellationToken)
    {
        var job = new Job<TContext>(work);
        if (TryAdd(job))
            return job.WaitAsync(options.QueueTimeout, time, cancellationToken);
        return Task.FromException(_isClosed
            ? new StoreException(StoreErrorKind.Refused, "The store has been closed.")
            : new StoreException(StoreErrorKind.Overloaded, "Too many requests wait for the file."));
    }

    /// <summary>Queues work without waiting for it, unless the queue is full or closed.</summary>
    public void Post(Action<TContext> work) => TryAdd(new Job<TContext>(work));

    /// <summary>The next job, or null.</summary>
    public Job<TContext>? TryTake() => _jobs.TryTake(out var job) ? job : null;

    /// <summary>Waits for the next job; null when the queue is closed and empty.</summary>
    public Job<TContext>? Take() => _jobs.TryTake(out var job, Timeout.Infinite) ? job : null;

    /// <summary>Closes the queue for new jobs.</summary>
    public void Close()
    {
        _isClosed = true;
        _jobs.CompleteAdding();
    }

    public void Dispose() => _jobs.Dispose();

    private bool TryAdd(Job<TContext> job)
    {
        try
        {
            return !_isClosed && _jobs.TryAdd(job);
        }
        catch (InvalidOperationException)
        {
            return false; // It was closed between the check and the call.
        }
    }
}
