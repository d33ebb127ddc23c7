using System.Threading.Channels;
using System.Threading.Tasks.Sources;

namespace Stout.Lanes;

/// <summary>Wakes a lane's loop when its intake was empty: on the thread pool, or on the posting thread.</summary>
internal sealed class LoopSignal : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _wait;
    private int _isAwaited;

    /// <summary>Reports a posted item, from any thread.</summary>
    /// <param name="runsHere">Whether a waiting loop continues inside this call.</param>
    public void Set(bool runsHere)
    {
        // The barrier orders the item before the flag: otherwise the loop could miss the item, and this call the waiting loop.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isAwaited) == 0 || Interlocked.Exchange(ref _isAwaited, 0) == 0)
            return;
        _wait.RunContinuationsAsynchronously = !runsHere;
        _wait.SetResult(true);
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
