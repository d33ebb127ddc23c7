using System.Threading.Tasks.Sources;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>A message that completes a task with the version of its key at the time of its release.</summary>
internal sealed class VersionMessage : Message, IValueTaskSource<Stamp>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<Stamp> _core;
    private CancellationTokenRegistration _cancellation;
    private int _completed;

    /// <summary>The version of the key, set before the message is released as safe.</summary>
    public Stamp Version { get; set; }

    public ValueTask<Stamp> WaitForVersionAsync(CancellationToken cancellationToken)
    {
        _cancellation = cancellationToken.UnsafeRegister(static (self, token) => ((VersionMessage)self!).Cancel(token), this);
        return new ValueTask<Stamp>(this, _core.Version);
    }

    public void Execute()
    {
        if (Interlocked.Exchange(ref _completed, 1) != 0)
            return;
        if (Failure is null)
            _core.SetResult(Version);
        else
            _core.SetException(Failure);
    }

    Stamp IValueTaskSource<Stamp>.GetResult(short token)
    {
        _cancellation.Dispose();
        return _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<Stamp>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<Stamp>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Cancel(CancellationToken token)
    {
        if (Interlocked.Exchange(ref _completed, 1) != 0)
            return;
        // The thread that cancels does not run the continuation.
        _core.RunContinuationsAsynchronously = true;
        _core.SetException(new OperationCanceledException(token));
    }
}
