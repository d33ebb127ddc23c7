using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// The queue of jobs for the threads of one file. It is bounded, and each job has a time limit before its start. A thread starts when a job finds no
/// idle one. A thread without a job sleeps at once: spinning first would take the processor from the callers whose jobs it waits for. After <see
/// cref="SqliteOptions.RestAfter"/> without a job the thread ends.
/// </summary>
/// <param name="name">The name of the threads.</param>
/// <param name="mostThreads">The most threads at a time.</param>
/// <param name="serve">Run by each thread: executes jobs until <see cref="Take"/> returns null.</param>
/// <param name="options">The limits.</param>
/// <param name="time">The clock of the jobs' limits.</param>
internal sealed class JobQueue<TContext>(string name, int mostThreads, Action serve, SqliteOptions options, TimeProvider time)
{
    /// <summary>
    /// The most queued jobs. Lanes keep few requests in flight, so only other callers could reach the limit. While the threads hang, withdrawn jobs stay in
    /// the queue; each takes some 200 bytes.
    /// </summary>
    private const int MostJobs = 4_096;

    private readonly Queue<Job<TContext>> _jobs = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _threads;
    private int _idle;
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

    /// <summary>Waits for the next job. Null ends the thread: the queue is closed and empty, or no job has come in time.</summary>
    public Job<TContext>? Take()
    {
        lock (_jobs)
        {
            _idle++;
            while (_jobs.Count == 0 && !_isClosed && Monitor.Wait(_jobs, options.RestAfter))
            {
            }

            _idle--;
            return _jobs.TryDequeue(out var job) ? job : null;
        }
    }

    /// <summary>Closes the queue for new jobs.</summary>
    /// <returns>Completes when all threads have ended, and with them all accepted jobs. Fails with the error that has ended a thread.</returns>
    public Task CloseAsync()
    {
        lock (_jobs)
        {
            _isClosed = true;
            Monitor.PulseAll(_jobs);
            EndIfLast();
        }

        return _ended.Task;
    }

    /// <returns>Why the job was refused; null if it was added.</returns>
    private StoreException? TryAdd(Job<TContext> job)
    {
        lock (_jobs)
        {
            if (_isClosed)
                return new StoreException(StoreErrorKind.Refused, "The store has been closed.");
            if (_jobs.Count == MostJobs || !TryServe())
                return new StoreException(StoreErrorKind.Overloaded, "Too many requests wait for the file.");
            _jobs.Enqueue(job);
            Monitor.Pulse(_jobs);
            return null;
        }
    }

    /// <summary>Starts a thread for one more job, if one is needed.</summary>
    /// <returns>False without any thread: the process cannot start one.</returns>
    private bool TryServe()
    {
        if (_threads == mostThreads || _jobs.Count < _idle)
            return true;
        try
        {
            new Thread(Run) { IsBackground = true, Name = name }.UnsafeStart();
            _threads++;
            return true;
        }
        catch (OutOfMemoryException)
        {
            return _threads > 0;
        }
    }

    private void Run()
    {
        Exception? failure = null;
        try
        {
            serve();
        }
        catch (Exception error)
        {
            failure = error;
        }

        lock (_jobs)
        {
            _threads--;
            if (failure is not null)
                _ended.TrySetException(failure);
            EndIfLast();
            // A job may have come since the thread decided to end.
            if (failure is null && _jobs.Count > 0)
                TryServe();
        }
    }

    private void EndIfLast()
    {
        if (_isClosed && _threads == 0 && _jobs.Count == 0)
            _ended.TrySetResult();
    }
}
