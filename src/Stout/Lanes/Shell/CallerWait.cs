using System.Threading.Tasks.Sources;

namespace Stout.Lanes.Shell;

/// <summary>
/// A caller's wait for a message: it ends with the message's release or with the caller's cancellation, whichever comes first. This struct is a field
/// of the value-task source that the caller awaits.
/// </summary>
internal struct CallerWait
{
    private ManualResetValueTaskSourceCore<bool> _core;
    // A boxed CancellationTokenRegistration. Few waits can be cancelled, and in all others a null reference takes less memory than the struct.
    private object? _cancellation;
    private int _hasEnded;

    /// <summary>Begins the wait, once.</summary>
    /// <param name="source">The object with this field.</param>
    /// <param name="cancel">Calls <see cref="Cancel"/> on the field.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <returns>The token of the value task.</returns>
    public short Begin(object source, Action<object?, CancellationToken> cancel, CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
            _cancellation = cancellationToken.UnsafeRegister(cancel, source);
        return _core.Version;
    }

    /// <summary>Ends the wait, since the message is released or has failed. The caller's continuation runs inside this call.</summary>
    public void End(Exception? failure)
    {
        if (!TryEnd())
            return;
        if (failure is null)
            _core.SetResult(true);
        else
            _core.SetException(failure);
    }

    /// <summary>Ends the wait, since the caller cancels it.</summary>
    public void Cancel(CancellationToken cancellationToken)
    {
        if (!TryEnd())
            return;
        // The continuation must not run on the thread that cancels.
        _core.RunContinuationsAsynchronously = true;
        _core.SetException(new OperationCanceledException(cancellationToken));
    }

    public void GetResult(short token)
    {
        if (_cancellation is CancellationTokenRegistration registration)
            registration.Dispose();
        _core.GetResult(token);
    }

    public readonly ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    // Cancellation and release may come at the same time: the first wins.
    private bool TryEnd() => Interlocked.Exchange(ref _hasEnded, 1) == 0;
}
