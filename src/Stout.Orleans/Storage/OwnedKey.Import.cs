using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>The import of a state from the storage that the grains used before.</summary>
internal sealed partial class OwnedKey
{
    /// <summary>The largest number of attempts at an import. An attempt fails if a silo writes the state through the former storage meanwhile.</summary>
    private const int MostAttempts = 5;

    /// <summary>
    /// Copies the value into the store, fences its record in the former storage, and then drops the copy's mark. Until the record is fenced, it is the
    /// valid state; from then on the copy is. So after a crash at any point, the next owner finishes the import. No grain sees the value before the last
    /// step.
    /// </summary>
    /// <param name="former">The state in the former storage.</param>
    /// <param name="state">The state in the store: absent, or a copy whose import an owner has not finished.</param>
    /// <returns>The imported state; absent if neither storage has one.</returns>
    public async ValueTask<StoredState> ImportAsync(IFormerState former, StoredState state)
    {
        try
        {
            for (var attempt = 0; attempt < MostAttempts; attempt++)
            {
                var record = await former.ReadAsync().ConfigureAwait(false);
                if (record.Kind == FormerRecordKind.Value)
                {
                    state = new StoredState(StateKind.Copied, record.Bytes);
                    await CommitAsync(state, null).ConfigureAwait(false);
                    if (former.Fences && !await former.TryFenceAsync(record.ETag).ConfigureAwait(false))
                        continue;
                }

                if (state.Kind == StateKind.Copied)
                {
                    state = state with { Kind = StateKind.Value };
                    await CommitAsync(state, null).ConfigureAwait(false);
                    store.Telemetry.Imported();
                }
                else if (record.Kind == FormerRecordKind.Fenced)
                {
                    // The former record is fenced, but this owner has read no state. Either the state was deleted, or another owner has imported it since
                    // this owner claimed the key. In the second case the confirmation fails.
                    await ConfirmAsync().ConfigureAwait(false);
                }

                return state;
            }

            throw new GrainStateNotReadException(
                $"The state '{stateName}' of the grain {grainId} was not imported: silos go on writing it through the former storage.", stateName, grainId);
        }
        catch (Exception)
        {
            await ForgetAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes the key and forgets its version and owner, so that the next call reads the key again.</summary>
    private async ValueTask ForgetAsync()
    {
        var handle = Handle;
        (Handle, _position, _lost) = (null, null, null);
        if (handle is null)
            return;
        try
        {
            await KeyStore.CloseAsync(handle).ConfigureAwait(false);
        }
        catch (StoutException)
        {
            // The handle has failed already, or the client stops.
        }
    }
}
