using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>A caller's request for a fill, and the task that the caller awaits.</summary>
internal sealed class FillCall(PartitionKey key, FillKind kind = FillKind.Shared) : FillRequest(key, kind)
{
    private readonly TaskCompletionSource<OpenedKey> _caller = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<OpenedKey> Task => _caller.Task;

    /// <summary>Completes the caller's task with the result or the failure.</summary>
    /// <returns>False if the caller has stopped waiting.</returns>
    public bool TryComplete(StoutException? failure) => _caller.TryComplete(Opened!, failure);

    /// <summary>Ends the caller's wait, since the caller cancels it.</summary>
    /// <returns>False if the call is complete already.</returns>
    public bool TryCancel(CancellationToken cancellationToken) => _caller.TrySetCanceled(cancellationToken);
}
