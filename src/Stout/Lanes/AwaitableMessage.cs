using System.Threading.Tasks.Sources;

namespace Stout.Lanes;

/// <summary>A message that completes a task. The continuation runs on the thread pool, never on the lane's loop.</summary>
internal sealed class AwaitableMessage : Message, IValueTaskSource, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<bool> _core;
    // A boxed CancellationTokenRegistration: few messages can be cancelled, and the reference keeps all others smaller.
    private object? _cancellation;
    private int _completed;

    public ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled)
        {
            _cancellation = cancellationToken.UnsafeRegister(
                static (self, token) => ((AwaitableMessage)self!).Cancel(token), this);
        }

        return new ValueTask(this, _core.Version);
    }

    public void Execute()
    {
        if (!TryEnd())
            return;
        if (Failure is null)
            _core.SetResult(true);
        else
            _core.SetException(Failure);
    }

    void IValueTaskSource.GetResult(short token)
    {
        if (_cancellation is CancellationTokenRegistration registration)
            registration.Dispose();
        _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Cancel(CancellationToken token)
    {
        if (!TryEnd())
            return;
        // The continuation must not run on the thread that cancels.
        _core.RunContinuationsAsynchronously = true;
        _core.SetException(new OperationCanceledException(token));
    }

    // Cancellation and release may come at the same time: the first wins.
    private bool TryEnd() => Interlocked.Exchange(ref _completed, 1) == 0;
}
