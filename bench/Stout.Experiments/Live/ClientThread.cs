namespace Stout.Experiments.Live;

/// <summary>
/// A thread for all clients, which sends the due requests every millisecond. It is no thread of the pool, since those are busy with the measured service.
/// </summary>
internal static class ClientThread
{
    /// <summary>The period of the thread. It bounds the wait of a request that is sent together with others of the same period.</summary>
    public static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    /// <param name="goOn">Sends the due requests, and returns whether any are left.</param>
    /// <param name="cancellationToken">Stops the thread.</param>
    public static Task RunAsync(Func<bool> goOn, CancellationToken cancellationToken) => Task.Factory.StartNew(
        () =>
        {
            do
            {
                cancellationToken.ThrowIfCancellationRequested();
                Thread.Sleep(Tick);
            }
            while (goOn());
        },
        CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>The intended start of a request: the present time, but at most a tick after the request is due. Any further delay counts as latency.</summary>
    public static TimeSpan StartOf(TimeSpan due, TimeSpan now) => now - due <= Tick ? now : due + Tick;
}
