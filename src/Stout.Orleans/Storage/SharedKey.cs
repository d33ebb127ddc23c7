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
    private int _calls;
    private bool _hasFailed;

    /// <inheritdoc/>
    public string StateName => stateName;

    /// <inheritdoc/>
    public KeyPosition? Position => null;

    /// <summary>Without a position the cause of a failure is not kept, so each failed call unsettles the state until the next one succeeds.</summary>
    /// <inheritdoc/>
    public bool IsSettled => Volatile.Read(ref _calls) == 0 && !Volatile.Read(ref _hasFailed);

    /// <inheritdoc/>
    public long Bytes { get; private set; }

    /// <summary>Keeps the key open between calls, until <see cref="CloseAsync"/>.</summary>
    public SharedKey Hold()
    {
        table.Rent(stateName, grainId);
        _isHeld = true;
        return this;
    }

    /// <inheritdoc/>
    public Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call) =>
        UseAsync(key => key.ReadAsync(former, call), static read => read.State.Bytes.Length);

    /// <inheritdoc/>
    public Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call) =>
        UseAsync(key => key.ChangeAsync(next, etag, former, call), _ => next.Bytes.Length);

    /// <inheritdoc/>
    public Task CloseAsync() => Interlocked.Exchange(ref _isHeld, false) ? table.ReturnAsync(stateName, grainId) : Task.CompletedTask;

    private async Task<T> UseAsync<T>(Func<IStateKey, Task<T>> call, Func<T, long> sizeOf)
    {
        var key = table.Rent(stateName, grainId);
        var hasFailed = true;
        Interlocked.Increment(ref _calls);
        try
        {
            var result = await call(key).ConfigureAwait(false);
            (hasFailed, Bytes) = (false, sizeOf(result));
            return result;
        }
        finally
        {
            Volatile.Write(ref _hasFailed, hasFailed);
            Interlocked.Decrement(ref _calls);
            await table.ReturnAsync(stateName, grainId).ConfigureAwait(false);
        }
    }
}
