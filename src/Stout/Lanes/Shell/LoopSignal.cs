using System.Threading.Channels;
using System.Threading.Tasks.Sources;

namespace Stout.Lanes.Shell;

/// <summary>Wakes a lane's loop that waits for input. The loop then continues on the thread pool or on the posting thread.</summary>
internal sealed class LoopSignal : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _wait;
    private int _isAwaited;
    private volatile int _lentThread;

    /// <summary>Whether the current thread runs the loop inside <see cref="Set"/>, until the loop's next await.</summary>
    public bool IsThreadLent => _lentThread == Environment.CurrentManagedThreadId;

    /// <summary>Reports a posted item, from any thread.</summary>
    /// <param name="runsHere">Whether a waiting loop continues inside this call.</param>
    /// <returns>Whether the loop may have continued inside this call.</returns>
    public bool Set(bool runsHere)
    {
        // The barrier orders the item before the flag: otherwise the loop could miss the item, and this call could miss that the loop waits.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isAwaited) == 0 || Interlocked.Exchange(ref _isAwaited, 0) == 0)
            return false;
        _wait.RunContinuationsAsynchronously = !runsHere;
        if (runsHere)
            _lentThread = Environment.CurrentManagedThreadId;
        _wait.SetResult(true);
        if (runsHere)
            _lentThread = 0;
        return runsHere;
    }

    /// <summary>Completes when the intake holds an item. Only the loop calls it, and awaits each call.</summary>
    public ValueTask WaitAsync<T>(ChannelReader<T> intake)
    {
        _wait.Reset();
        Interlocked.Exchange(ref _isAwaited, 1);
        return intake.TryPeek(out _) && Interlocked.Exchange(ref _isAwaited, 0) == 1 ? default : new ValueTask(this, _wait.Version);
    }

    void IValueTaskSource.GetResult(short token) => _wait.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);
}
