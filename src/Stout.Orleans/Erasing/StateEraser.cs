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
            var key = storage.AllowedKeyOf(stateName, grainId);
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
        var erasing = ClaimUntilErasedAsync(key, stateName, grainId);
        if (storage.Store.Ownership == GrainOwnership.None)
        {
            await ((Task)erasing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            try
            {
                // A claim that has failed may have reached the store, too.
                await storage.Store.ReleaseAsync(key).ConfigureAwait(false);
            }
            catch (StoutException) when (erasing.IsFaulted)
            {
                // The erasure's own error tells whether the state may be erased.
            }
        }

        return await erasing.ConfigureAwait(false);
    }

    private async Task<ErasureOutcome> ClaimUntilErasedAsync(PartitionKey key, string stateName, GrainId grainId)
    {
        var store = storage.Store.WithClaims;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await ClaimAndEraseAsync(store, key, stateName, grainId).ConfigureAwait(false);
            }
            catch (StoutException error) when (StateErrors.Cause(error) is FencedException && attempt < MostAttempts)
            {
                // An activation has claimed the key meanwhile. On this silo, its claim has ended this one before the store's answer.
            }
        }
    }

    private async Task<ErasureOutcome> ClaimAndEraseAsync(KeyStore store, PartitionKey key, string stateName, GrainId grainId)
    {
        var erased = leavesMark ? StoredState.Cleared : StoredState.Absent;
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
        finally
        {
            await owned.CloseAsync().ConfigureAwait(false);
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
