namespace Stout;

/// <summary>
/// Further threads for a thread pool whose threads are blocked. The pool adds threads by itself, but hardly more than one a second. It adds them at once
/// up to its minimum, which these raise until they are disposed.
/// </summary>
internal sealed class SpareThreads : IDisposable
{
    private const int Step = 8;
    private const int Most = 512;

    private static readonly Lock Access = new();
    private static int _users;
    private static int _minimum;
    private static bool _isRaised;

    private int _added;

    public SpareThreads()
    {
        lock (Access)
        {
            if (_users++ > 0)
                return;
            ThreadPool.GetMinThreads(out _minimum, out _);
            _isRaised = false;
        }
    }

    /// <summary>Adds threads if work waits for one. Has no effect beyond the pool's maximum.</summary>
    public void Add()
    {
        lock (Access)
        {
            if (ThreadPool.PendingWorkItemCount == 0 || _added >= Most)
                return;
            _added += Step;
            _isRaised = true;
            ThreadPool.GetMinThreads(out var minimum, out var ports);
            ThreadPool.SetMinThreads(Math.Max(minimum, ThreadPool.ThreadCount + Step), ports);
        }
    }

    public void Dispose()
    {
        lock (Access)
        {
            if (--_users > 0 || !_isRaised)
                return;
            ThreadPool.GetMinThreads(out _, out var ports);
            ThreadPool.SetMinThreads(_minimum, ports);
        }
    }
}
