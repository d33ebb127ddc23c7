using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Import;

/// <inheritdoc/>
internal sealed class FormerState<T>(FormerStorage former, StoutGrainStorage storage, string stateName, GrainId grainId) : IFormerState
{
    /// <inheritdoc/>
    public bool Fences => former.Fences;

    /// <inheritdoc/>
    public async Task<FormerRecord> ReadAsync()
    {
        var state = new GrainState<T>(storage.Create<T>());
        try
        {
            await former.Storage.ReadStateAsync(stateName, grainId, state).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            // The read also fails if the record is fenced, since the fence's text is no value of this type.
            if (await former.HasFenceAsync(stateName, grainId).ConfigureAwait(false))
                return new FormerRecord(FormerRecordKind.Fenced);
            throw former.Failed(stateName, grainId, error);
        }

        if (!state.RecordExists)
            return new FormerRecord(FormerRecordKind.Missing);
        if (former.Fences)
            await former.CheckAsync(stateName, grainId, storage.Create<T>).ConfigureAwait(false);
        return new FormerRecord(FormerRecordKind.Value, storage.Serialize(state.State, stateName, grainId), state.ETag);
    }

    /// <inheritdoc/>
    public async Task<bool> TryFenceAsync(string? etag)
    {
        try
        {
            await former.FenceAsync(stateName, grainId, etag).ConfigureAwait(false);
            return true;
        }
        catch (InconsistentStateException)
        {
            former.Changed();
            return false;
        }
        catch (Exception error)
        {
            throw former.Failed(stateName, grainId, error);
        }
    }
}
