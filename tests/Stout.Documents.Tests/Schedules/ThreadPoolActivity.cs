namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// Tells when the thread pool has nothing more to do. The typed layer's continuations run there; a schedule takes its next step when
/// all that follows from the last one has happened, so its order of events is the seed's and not the scheduler's.
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
        // Functions and lanes that the schedule holds occupy threads.
        ThreadPool.SetMinThreads(Math.Max(workers, 24), ports);
        _blocked = ThreadsOfTheRunner();
    }

    private SemaphoreSlim Quiet { get; } = new(0);

    /// <summary>Waits on the pool's thread that calls, until the schedule opens the stop.</summary>
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

    /// <summary>Lets all go on that wait. They count as running from now on.</summary>
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

    /// <summary>Returns once no thread of the pool runs but those that wait in <see cref="Block"/>.</summary>
    public void WaitUntilQuiet()
    {
        // An item of its own looks, behind what is queued. To look from here would take the processor from the threads that are waited for.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        Quiet.Wait();
    }

    void IThreadPoolWorkItem.Execute()
    {
        var spin = default(SpinWait);
        // Idle first, then nothing queued: a thread that runs could queue more after it was looked at the other way round.
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

    /// <summary>Whether only the thread runs that calls.</summary>
    private bool IsIdle()
    {
        ThreadPool.GetAvailableThreads(out var available, out _);
        lock (_lock)
            return _maxThreads - available <= _blocked + 1;
    }
}

/// <summary>Where threads of the pool wait for the schedule.</summary>
internal sealed class Stop
{
    public ManualResetEventSlim Event { get; } = new();

    public bool IsOpen { get; set; }

    public int Waiting { get; set; }
}
