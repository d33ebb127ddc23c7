namespace Stout.Hosting.Tests.Support;

/// <summary>Blocks the threads of the thread pool until it is disposed, by a thread that is not one of them.</summary>
internal sealed class BlockedPool : IDisposable
{
    private readonly ManualResetEventSlim _open = new();

    // Far more than the pool has threads for, so that its queue stays full for minutes.
    private readonly CountdownEvent _ended = new(200);

    public BlockedPool()
    {
        for (var i = 0; i < _ended.InitialCount; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    _open.Wait();
                    _ended.Signal();
                },
                null);
        }
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
}
