namespace Stout.Experiments.Live;

/// <summary>A thread for all clients, which looks every millisecond what is due. The pool's threads are busy with what is measured.</summary>
internal static class ClientThread
{
    /// <summary>How often it looks, and so how long a request may wait for the others of its bundle.</summary>
    public static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    /// <param name="goOn">Does what is due, and says whether anything is left.</param>
    /// <param name="cancellationToken">Stops it.</param>
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

    /// <summary>
    /// When a request is meant to start: with its bundle, a tick after it came at the latest. Whatever delays it beyond that counts as
    /// latency.
    /// </summary>
    public static TimeSpan StartOf(TimeSpan due, TimeSpan now) => now - due <= Tick ? now : due + Tick;
}
