namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// Tells when the thread pool has nothing more to do. The typed layer's continuations run there. A schedule takes its next step only after all
/// consequences of the last one. So the seed decides the order of events, and the scheduler does not.
/// </summary>
internal sealed class ThreadPoolActivity : IThreadPoolWorkItem
{
    private readonly Lock _lock = new();
    private const int Looks = 500;

    private readonly int _maxThreads;
    private int _blocked;

    public ThreadPoolActivity()
    {
        ThreadPool.GetMaxThreads(out _maxThreads, out _);
        ThreadPool.GetMinThreads(out var workers, out var ports);
        // Functions and lanes that the schedule holds occupy threads, so the pool needs spare ones.
        ThreadPool.SetMinThreads(Math.Max(workers, 24), ports);
        _blocked = ThreadsOfTheRunner();
    }

    private SemaphoreSlim Quiet { get; } = new(0);

    /// <summary>Blocks the calling thread, which belongs to the pool, until the schedule opens the stop.</summary>
    public void Block(Stop stop)
    {
        lock (_lock)
        {
            if (stop.IsOpen)
                return;
            stop.Waiting++;
            _blocked++;
        }

        stop.Event.Wait();
    }

    /// <summary>Releases all threads that wait at a stop. They count as running from now on.</summary>
    public void Open(Stop stop)
    {
        lock (_lock)
        {
            stop.IsOpen = true;
            _blocked -= stop.Waiting;
            stop.Waiting = 0;
        }

        stop.Event.Set();
    }

    /// <summary>Returns once every thread of the pool is idle or waits in <see cref="Block"/>.</summary>
    public void WaitUntilQuiet()
    {
        // A work item at the end of the queue does the polling. Polling on this thread would take processor time from the pool's threads.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        Quiet.Wait();
    }

    void IThreadPoolWorkItem.Execute()
    {
        var spin = default(SpinWait);
        // The threads are checked before the queue. In the other order, a running thread could queue an item between the two checks.
        while (!IsIdle() || ThreadPool.PendingWorkItemCount > 0)
            spin.SpinOnce();
        Quiet.Release();
    }

    /// <summary>
    /// Some test runners keep threads of the pool occupied while the tests run. Their number is the fewest threads that are seen
    /// occupied before the schedules begin.
    /// </summary>
    private int ThreadsOfTheRunner()
    {
        var (fewest, spin) = (_maxThreads, default(SpinWait));
        for (var look = 0; look < Looks && fewest > 0; look++)
        {
            ThreadPool.GetAvailableThreads(out var available, out _);
            fewest = Math.Min(fewest, _maxThreads - available);
            spin.SpinOnce();
        }

        return fewest;
    }

    /// <summary>Whether the calling thread is the pool's only busy thread that is not blocked.</summary>
    private bool IsIdle()
    {
        ThreadPool.GetAvailableThreads(out var available, out _);
        lock (_lock)
            return _maxThreads - available <= _blocked + 1;
    }
}

/// <summary>A point at which threads of the pool wait for the schedule.</summary>
internal sealed class Stop
{
    public ManualResetEventSlim Event { get; } = new();

    public bool IsOpen { get; set; }

    public int Waiting { get; set; }
}
