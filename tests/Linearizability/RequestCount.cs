namespace Linearizability;

/// <summary>
/// Counts requests that have ended, with any outcome. Faults wait for a number of requests and not for a time, so they do not depend on the machine's
/// speed.
/// </summary>
public sealed class RequestCount
{
    private readonly Lock _lock = new();
    private (long Count, TaskCompletionSource Reached) _awaited = (long.MaxValue, new());
    private long _ended;

    /// <summary>The number of requests that have ended.</summary>
    public long Ended => Interlocked.Read(ref _ended);

    /// <summary>Counts a request that has ended.</summary>
    public void Add()
    {
        lock (_lock)
        {
            if (++_ended >= _awaited.Count)
                _awaited.Reached.TrySetResult();
        }
    }

    /// <summary>Completes once this number of further requests has ended. Only one caller may wait at a time.</summary>
    public Task MoreAsync(long more)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
            _awaited = (_ended + more, reached);
        return reached.Task;
    }
}
