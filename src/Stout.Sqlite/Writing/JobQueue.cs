using System.Collections.Concurrent;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The jobs that wait for the threads of one file. Each waits within a time limit, and their number is bounded.</summary>
internal sealed class JobQueue<TContext>(SqliteOptions options, TimeProvider time) : IDisposable
{
    /// <summary>
    /// A lane keeps few requests in flight, and each ends within the time limit. More jobs than this come only from a caller without
    /// such a bound; each withdrawn job of a thread that hangs takes some 200 bytes here.
    /// </summary>
    private const int MostJobs = 4_096;

    private readonly BlockingCollection<Job<TContext>> _jobs = new(MostJobs);
    private volatile bool _isClosed;

    /// <summary>The number of jobs that have not begun, with those that were withdrawn.</summary>
    public int Count => _jobs.Count;

    /// <summary>Does work on one of the threads.</summary>
    /// <exception cref="OperationCanceledException">The work was withdrawn before it began.</exception>
    /// <exception cref="StoreException">The store is closed or busy, and the work was not begun; or the work failed.</exception>
    public Task ExecuteAsync(Action<TContext> work, CancellationToken cancellationToken)
    {
        var job = new Job<TContext>(work);
        if (TryAdd(job))
            return job.WaitAsync(options.QueueTimeout, time, cancellationToken);
        return Task.FromException(_isClosed
            ? new StoreException(StoreErrorKind.Refused, "The store has been closed.")
            : new StoreException(StoreErrorKind.Overloaded, "Too many requests wait for the file."));
    }

    /// <summary>Does work for which the caller does not wait, unless the queue is full or closed.</summary>
    public void Post(Action<TContext> work) => TryAdd(new Job<TContext>(work));

    /// <summary>The next job, or null if there is none at the moment.</summary>
    public Job<TContext>? TryTake() => _jobs.TryTake(out var job) ? job : null;

    /// <summary>Waits for the next job; null once the queue is closed and empty.</summary>
    public Job<TContext>? Take() => _jobs.TryTake(out var job, Timeout.Infinite) ? job : null;

    /// <summary>Takes no more jobs.</summary>
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
            return false; // It was closed between the two.
        }
    }
}
