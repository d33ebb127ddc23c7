namespace Stout.Hosting.Tests.Support;

/// <summary>Blocks the threads of the thread pool until it is disposed, by a thread that is not one of them.</summary>
internal sealed class BlockedPool : IDisposable
{
    private readonly ManualResetEventSlim _open = new();

    // Far more than the pool has threads for, so that its queue stays full for minutes.
    private readonly CountdownEvent _ended = new(200);

    private readonly bool _isRefilled;

    /// <param name="isRefilled">Whether the queue stays full also where an earlier test has given the pool hundreds of threads.</param>
    public BlockedPool(bool isRefilled = false)
    {
        _isRefilled = isRefilled;
        for (var i = 0; i < _ended.InitialCount; i++)
            Queue();
    }

    public static Task<T> OnOwnThread<T>(Func<T> work)
    {
        var result = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                result.SetResult(work());
            }
            catch (Exception error)
            {
                result.SetException(error);
            }
        }) { IsBackground = true }.Start();
        return result.Task;
    }

    public void Dispose()
    {
        _open.Set();
        _ended.Wait();
        _ended.Dispose();
        _open.Dispose();
    }

    private void Queue() => ThreadPool.UnsafeQueueUserWorkItem(
        static pool =>
        {
            if (pool._isRefilled && !pool._open.IsSet)
            {
                pool._ended.AddCount();
                pool.Queue();
            }

            pool._open.Wait();
            pool._ended.Signal();
        },
        this,
        preferLocal: false);
}
