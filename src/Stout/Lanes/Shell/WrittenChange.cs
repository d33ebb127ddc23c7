using System.Threading.Tasks.Sources;
using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>A <see cref="KeyChange"/> on its way to the store. It completes a task with the version under which it is durable.</summary>
internal sealed class WrittenChange : PushedChange, IReleasable, IValueTaskSource<Stamp>, IThreadPoolWorkItem
{
    private CallerWait _wait;
    private Stamp _version;

    public WrittenChange(KeyChange change)
    {
        First = change.First;
        DeletesObject = change.ReplacesObject;
        PartCount = change.PartCount;
        Bytes = change.Bytes;
    }

    public ValueTask<Stamp> WaitAsync(CancellationToken cancellationToken) =>
        new(this, _wait.Begin(this, static (self, token) => ((WrittenChange)self!)._wait.Cancel(token), cancellationToken));

    /// <inheritdoc/>
    public IThreadPoolWorkItem Released(KeyHandle handle)
    {
        _version = handle.Stored;
        return this;
    }

    void IThreadPoolWorkItem.Execute() => _wait.End(Failure);

    Stamp IValueTaskSource<Stamp>.GetResult(short token)
    {
        _wait.GetResult(token);
        return _version;
    }

    ValueTaskSourceStatus IValueTaskSource<Stamp>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<Stamp>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _wait.OnCompleted(continuation, state, token, flags);
}
