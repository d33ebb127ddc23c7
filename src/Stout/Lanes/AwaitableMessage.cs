using System.Threading.Tasks.Sources;

namespace Stout.Lanes;

/// <summary>A message that completes a task. Its continuation runs on the pool, never on the lane's loop.</summary>
internal sealed class AwaitableMessage : Message, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    // A CancellationTokenRegistration, boxed: few messages can be cancelled, and the others are smaller by it.
    private object? _cancellation;
    private int _completed;

    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
        {
            _cancellation = cancellationToken.UnsafeRegister(
                static (self, token) => ((AwaitableMessage)self!).Complete(new OperationCanceledException(token)), this);
        }

        return new ValueTask(this, _core.Version);
    }

    public void Release() => Complete(Failure);

    void IValueTaskSource.GetResult(short token)
    {
        if (_cancellation is CancellationTokenRegistration registration)
            registration.Dispose();
        _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    // Cancellation and release may come at the same time: the first wins.
    private void Complete(Exception? error)
    {
        if (Interlocked.Exchange(ref _completed, 1) != 0)
            return;
        if (error is null)
            _core.SetResult(true);
        else
            _core.SetException(error);
    }
}
