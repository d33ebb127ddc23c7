using System.Threading.Tasks.Sources;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>A message that completes a task with the version of its key at the time of its release.</summary>
internal sealed class VersionMessage : Message, IValueTaskSource<Stamp>, IThreadPoolWorkItem
{
    private CallerWait _wait;

    /// <summary>The version of the key, set before the message is released.</summary>
    public Stamp Version { get; set; }

    public ValueTask<Stamp> WaitForVersionAsync(CancellationToken cancellationToken) =>
        new(this, _wait.Begin(this, static (self, token) => ((VersionMessage)self!)._wait.Cancel(token), cancellationToken));

    public void Execute() => _wait.End(Failure);

    Stamp IValueTaskSource<Stamp>.GetResult(short token)
    {
        _wait.GetResult(token);
        return Version;
    }

    ValueTaskSourceStatus IValueTaskSource<Stamp>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<Stamp>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);
}
