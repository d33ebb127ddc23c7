using System.Threading.Tasks.Sources;
using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>A message that completes a task. The continuation runs on the thread pool, never on the lane's loop.</summary>
internal sealed class AwaitableMessage : Message, IValueTaskSource, IThreadPoolWorkItem
{
    private CallerWait _wait;

    public ValueTask WaitAsync(CancellationToken cancellationToken) =>
        new(this, _wait.Begin(this, static (self, token) => ((AwaitableMessage)self!)._wait.Cancel(token), cancellationToken));

    public void Execute() => _wait.End(Failure);

    void IValueTaskSource.GetResult(short token) => _wait.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);
}
