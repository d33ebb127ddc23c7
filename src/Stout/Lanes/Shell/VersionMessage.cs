using System.Threading.Tasks.Sources;
using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>A message that completes a task with the version of its key at the time of its release.</summary>
internal sealed class VersionMessage : Message, IReleasable, IValueTaskSource<Stamp>, IThreadPoolWorkItem
{
    private CallerWait _wait;

    /// <summary>The version of the key, set at the release.</summary>
    public Stamp Version { get; private set; }

    public ValueTask<Stamp> WaitForVersionAsync(CancellationToken cancellationToken) =>
        new(this, _wait.Begin(this, static (self, token) => ((VersionMessage)self!)._wait.Cancel(token), cancellationToken));

    /// <inheritdoc/>
    public IThreadPoolWorkItem Released(KeyHandle handle)
    {
        Version = handle.Stored;
        return this;
    }

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
