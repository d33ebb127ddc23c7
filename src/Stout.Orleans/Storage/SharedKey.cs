using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>A state's key in the table of its provider. Each call uses the key of the table, so that all users of the state share one key.</summary>
/// <param name="table">The table.</param>
/// <param name="stateName">The state's name.</param>
/// <param name="grainId">The grain.</param>
internal sealed class SharedKey(KeyTable table, string stateName, GrainId grainId) : IStateKey
{
    private bool _isHeld;

    /// <inheritdoc/>
    public string StateName => stateName;

    /// <inheritdoc/>
    public KeyPosition? Position => null;

    /// <summary>Keeps the key open between calls, until <see cref="CloseAsync"/>.</summary>
    public SharedKey Hold()
    {
        table.Rent(stateName, grainId);
        _isHeld = true;
        return this;
    }

    /// <inheritdoc/>
    public Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call) =>
        UseAsync(key => key.ReadAsync(former, call));

    /// <inheritdoc/>
    public Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call) =>
        UseAsync(key => key.ChangeAsync(next, etag, former, call));

    /// <inheritdoc/>
    public Task CloseAsync() => Interlocked.Exchange(ref _isHeld, false) ? table.ReturnAsync(stateName, grainId) : Task.CompletedTask;

    private async Task<T> UseAsync<T>(Func<IStateKey, Task<T>> call)
    {
        var key = table.Rent(stateName, grainId);
        try
        {
            return await call(key).ConfigureAwait(false);
        }
        finally
        {
            await table.ReturnAsync(stateName, grainId).ConfigureAwait(false);
        }
    }
}
