using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>A caller that asks for admission, and the task that the caller awaits.</summary>
internal sealed class AdmissionCall(bool changesSomething) : Admission(changesSomething)
{
    private readonly TaskCompletionSource<bool> _caller = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<bool> Task => _caller.Task;

    /// <inheritdoc cref="FillCall.TryComplete"/>
    public bool TryComplete(StoutException? failure) => _caller.TryComplete(true, failure);

    /// <inheritdoc cref="FillCall.TryCancel"/>
    public bool TryCancel(CancellationToken cancellationToken) => _caller.TrySetCanceled(cancellationToken);
}
