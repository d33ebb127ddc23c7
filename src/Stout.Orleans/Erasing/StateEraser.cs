using Microsoft.Extensions.Logging;
using Orleans.Core.Internal;
using Orleans.Runtime;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Storage;

/// <summary>Erases the states of one provider.</summary>
/// <param name="storage">The provider.</param>
/// <param name="leavesMark">Whether a mark without data remains, so that a state is not imported again.</param>
/// <param name="grains">Finds live activations.</param>
/// <param name="logger">The log.</param>
internal sealed class StateEraser(StoutGrainStorage storage, bool leavesMark, Func<IGrainFactory> grains, ILogger logger)
{
    /// <summary>Bounds the states in memory, each with its parts.</summary>
    public const int MostAtOnce = 16;

    /// <summary>The largest number of claims of one key. A claim fails if an activation claims the key before the state is deleted.</summary>
    private const int MostAttempts = 10;

    /// <summary>Erases one state within the limit of a call. A failure is part of the result.</summary>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public async Task<ErasedState> EraseAsync(string stateName, GrainId grainId, CancellationToken cancellationToken)
    {
        try
        {
            var key = storage.UsedKeyOf(stateName, grainId);
            using var call = new StateCall(storage, stateName, grainId, cancellationToken);
            var erasing = EraseAsync(key, stateName, grainId);
            if (!await AnswerTime.HasEndedAsync(erasing, erasing.WaitAsync(call.Token)).ConfigureAwait(false))
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new OutcomeUnknownException(key, OutcomeUnknownReason.NotAnsweredInTime);
            }

            _ = EndActivationAsync(grainId);
            return new ErasedState(stateName, grainId, await erasing.ConfigureAwait(false));
        }
        catch (StoutException error)
        {
            return new ErasedState(stateName, grainId, ErasureOutcome.Failed, StateErrors.OfWrite(error, stateName, grainId, null));
        }
        catch (Exception error) when (error is GrainStateException or NotSupportedException)
        {
            return new ErasedState(stateName, grainId, ErasureOutcome.Failed, error);
        }
    }

    private async Task<ErasureOutcome> EraseAsync(PartitionKey key, string stateName, GrainId grainId)
    {
        var store = storage.Store.WithClaims;
        var erased = leavesMark ? StoredState.Cleared : StoredState.Absent;
        for (var attempt = 1; ; attempt++)
        {
            var opened = await store.OpenAsync(key).ConfigureAwait(false);
            var owned = new OwnedKey(store, key, stateName, grainId);
            owned.Begin(opened.Handle, opened is OpenedKey.Read read ? StoredState.KindOf(read.Parts) : StateKind.Absent);
            // Parts that grain storage does not read are those of a facet.
            var hasData = !StoredState.TryRead(opened, out var found) || found.HasValue;
            try
            {
                if (hasData || found.Kind != erased.Kind)
                    await owned.CommitAsync(erased, null).ConfigureAwait(false);
                return hasData ? ErasureOutcome.Erased : ErasureOutcome.Absent;
            }
            catch (StoutException error) when (StateErrors.Cause(error) is FencedException && attempt < MostAttempts)
            {
                // An activation has claimed the key meanwhile.
            }
            finally
            {
                await owned.CloseAsync().ConfigureAwait(false);
                if (storage.Store.Ownership == GrainOwnership.None)
                    await store.ReleaseAsync(key).ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// Tells a live activation to end. It ends after its calls, which may wait for the erasure, so the end is not awaited. Without this, an activation that
    /// only reads would keep the state in its memory.
    /// </summary>
    private async Task EndActivationAsync(GrainId grainId)
    {
        try
        {
            var grain = grains().GetGrain(grainId);
            if (await grains().GetGrain<IManagementGrain>(0).GetActivationAddress(grain).ConfigureAwait(false) is not null)
                await grain.AsReference<IGrainManagementExtension>().DeactivateOnIdle().ConfigureAwait(false);
        }
        catch (Exception error)
        {
            logger.NotEnded(error, storage.Name);
        }
    }
}
