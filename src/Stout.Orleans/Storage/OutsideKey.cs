using System.Diagnostics.CodeAnalysis;
using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>
/// The key of one state for code outside its grain, in a provider with claims. A read claims nothing, so the grain's activation goes on. A write claims the
/// key only if the ETag is that of the stored state. An import claims only a key without a state.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "Without a wait handle the semaphore holds nothing to dispose.")]
internal sealed class OutsideKey(KeyStore store, PartitionKey key, string stateName, GrainId grainId) : IStateKey
{
    /// <summary>The largest number of attempts at an import. An attempt fails if the key gets another owner or version meanwhile.</summary>
    private const int MostAttempts = 5;

    // Without turns, the claim of one outside call would fence the write of another.
    private readonly SemaphoreSlim _turn = new(1, 1);

    /// <inheritdoc/>
    public string StateName => stateName;

    /// <inheritdoc/>
    public KeyPosition? Position => null;

    /// <summary>No activation has the key in its memory.</summary>
    /// <inheritdoc/>
    public bool IsSettled => true;

    /// <inheritdoc/>
    public long Bytes => 0;

    /// <inheritdoc/>
    public async Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call)
    {
        await _turn.WaitAsync(call.Token).ConfigureAwait(false);
        try
        {
            var found = await FindAsync(former, call.Token).ConfigureAwait(false);
            return (found.State, found.ETag);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <inheritdoc/>
    public Task CloseAsync() => Task.CompletedTask;

    /// <inheritdoc/>
    public async Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call)
    {
        await _turn.WaitAsync(call.Token).ConfigureAwait(false);
        try
        {
            var found = await FindAsync(former, call.Token).ConfigureAwait(false);
            if (!ETag.Same(etag, found.ETag))
                throw StateErrors.OtherETag(stateName, grainId, found.ETag, etag);
            if (next.Kind != StateKind.Value && found.State.Kind == StateKind.Absent)
                return null;
            // A claim of a call that has ended would only fence the activation.
            call.Token.ThrowIfCancellationRequested();
            var owned = await ClaimAsync(found).ConfigureAwait(false);
            try
            {
                await owned.CommitAsync(next, call).ConfigureAwait(false);
                return owned.ETag;
            }
            finally
            {
                await owned.CloseAsync().ConfigureAwait(false);
            }
        }
        catch (StoutException error)
        {
            throw StateErrors.OfWrite(error, stateName, grainId, etag);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Reads the stored state. An absent state is first imported, if the former storage has a record.</summary>
    private async Task<Found> FindAsync(IFormerState? former, CancellationToken cancellationToken)
    {
        var found = await PeekAsync(cancellationToken).ConfigureAwait(false);
        if (former is null || found.State.Kind is not (StateKind.Absent or StateKind.Copied))
            return found;
        await ImportAsync(former, cancellationToken).ConfigureAwait(false);
        return await PeekAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task ImportAsync(IFormerState former, CancellationToken cancellationToken)
    {
        StoutException? changed = null;
        for (var attempt = 0; attempt < MostAttempts; attempt++)
        {
            var peeked = await store.PeekAsync(key, cancellationToken).ConfigureAwait(false);
            var kind = peeked.Exists ? StoredState.KindOf(peeked.Parts) : StateKind.Absent;
            if (kind is StateKind.Value or StateKind.Cleared)
                return;
            // The former storage is asked before the claim: without a record there, no claim is needed. A fence without a state means a deleted one.
            if (kind == StateKind.Absent && (await former.ReadAsync().ConfigureAwait(false)).Kind != FormerRecordKind.Value)
                return;
            try
            {
                await ImportAsync(former, ToFound(peeked)).ConfigureAwait(false);
                return;
            }
            catch (StoutException error) when (StateErrors.Cause(error) is FencedException or ConflictException)
            {
                // The key has changed since the peek.
                changed = error;
            }
        }

        throw new GrainStateNotReadException(
            $"The state '{stateName}' of the grain {grainId} was not imported: it goes on changing.", stateName, grainId, changed);
    }

    private async Task ImportAsync(IFormerState former, Found found)
    {
        var owned = await ClaimAsync(found).ConfigureAwait(false);
        try
        {
            await owned.ImportAsync(former, found.State).ConfigureAwait(false);
        }
        finally
        {
            await owned.CloseAsync().ConfigureAwait(false);
        }
    }

    private async Task<Found> PeekAsync(CancellationToken cancellationToken) =>
        ToFound(await store.PeekAsync(key, cancellationToken).ConfigureAwait(false));

    private Found ToFound(PeekedKey peeked) => StoredState.TryRead(peeked.Exists, peeked.Parts, out var state)
        ? new Found(peeked, state)
        : throw StateErrors.OfForeignObject(stateName, grainId);

    private async Task<OwnedKey> ClaimAsync(Found found)
    {
        var owned = new OwnedKey(store, key, stateName, grainId);
        owned.Begin(await store.ClaimAtAsync(found.Peeked).ConfigureAwait(false), found.State.Kind);
        return owned;
    }

    private sealed record Found(PeekedKey Peeked, StoredState State)
    {
        public string? ETag { get; } = Storage.ETag.Of(State.Kind, Peeked.Version);
    }
}
