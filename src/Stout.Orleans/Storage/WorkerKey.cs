using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>
/// The key of a state of a stateless worker, in a provider with claims. Several workers share the state, so no worker may claim it: they read like code
/// outside the grain, and can't write.
/// </summary>
internal sealed class WorkerKey(IStateKey outside, GrainId grainId, Type grainClass) : IStateKey
{
    /// <inheritdoc/>
    public string StateName => outside.StateName;

    /// <inheritdoc/>
    public KeyPosition? Position => null;

    /// <inheritdoc/>
    public bool IsSettled => outside.IsSettled;

    /// <inheritdoc/>
    public long Bytes => outside.Bytes;

    /// <inheritdoc/>
    public Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call) =>
        outside.ReadAsync(former, call);

    /// <inheritdoc/>
    public Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call) =>
        Task.FromException<string?>(new StatelessWorkerStateException(StateName, grainId, grainClass));

    /// <inheritdoc/>
    public Task CloseAsync() => Task.CompletedTask;
}
