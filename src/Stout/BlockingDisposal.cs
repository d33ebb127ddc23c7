namespace Stout;

/// <summary>
/// Disposes asynchronously while the caller blocks, as a container does that is disposed synchronously. It ends in bounded time, even if all threads of the
/// thread pool are blocked.
/// </summary>
internal static class BlockingDisposal
{
    /// <summary>How often a blocked thread pool gets further threads.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    /// <summary>As long as a host waits for its services by default.</summary>
    private static readonly TimeSpan DrainLimit = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(5);

    public static void Run(Func<CancellationToken, Task> stop, Func<ValueTask> dispose) => Run(stop, dispose, DrainLimit, CloseLimit);

    /// <param name="stop">Drains; its token ends the drain.</param>
    /// <param name="dispose">Drains without a limit, and closes.</param>
    /// <param name="drainLimit">The time after which the drain is ended.</param>
    /// <param name="closeLimit">The time after which the call returns without waiting for the close.</param>
    internal static void Run(Func<CancellationToken, Task> stop, Func<ValueTask> dispose, TimeSpan drainLimit, TimeSpan closeLimit)
    {
        Task? closing = null;
        // Without the caller's synchronization context, which would be blocked.
        var thread = new Thread(() =>
        {
            using var spare = new SpareThreads();
            using var limit = new CancellationTokenSource();
            if (!Wait(stop(limit.Token), drainLimit, spare))
                limit.Cancel();
            closing = dispose().AsTask();
            Wait(closing, closeLimit, spare);
        }) { IsBackground = true, Name = "Stout disposal" };
        thread.Start();
        thread.Join();
        if (closing!.IsCompleted)
            closing.GetAwaiter().GetResult();
    }

    private static bool Wait(Task task, TimeSpan limit, SpareThreads spare)
    {
        for (var began = TimeProvider.System.GetTimestamp(); TimeProvider.System.GetElapsedTime(began) < limit; spare.Add())
        {
            if (Task.WaitAny([task], Look) == 0)
                return true;
        }

        return task.IsCompleted;
    }
}
