using Stout.Orleans.Diagnostics;
using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>Opens the keys of states for one provider, with claims or without.</summary>
internal sealed class KeyStore(StoutClient client, GrainOwnership ownership, OrleansTelemetry telemetry, AnswerTime answers)
{
    /// <summary>The largest number of fills for one read. A further fill is needed only if other code opens the same key meanwhile.</summary>
    private const int MostFills = 5;

    public GrainOwnership Ownership => ownership;

    public OrleansTelemetry Telemetry => telemetry;

    /// <summary>The time limits of callers.</summary>
    public AnswerTime Answers => answers;

    /// <summary>This store if it claims keys; otherwise the same store with claims.</summary>
    public KeyStore WithClaims => ownership == GrainOwnership.Claim ? this : new KeyStore(client, GrainOwnership.Claim, telemetry, answers);

    /// <summary>The largest value that the store holds, in bytes.</summary>
    public long MaxValueBytes => client.Limits.MaxValueBytes;

    /// <summary>Writes a change, and waits until the outcome is known, also after the limit for one answer.</summary>
    public static ValueTask WriteAsync(KeyHandle handle, KeyChange change)
    {
        handle.Write(change);
        return UntilKnownAsync(handle, handle.WhenSafeAsync(), static handle => handle.WhenSafeAsync());
    }

    /// <summary>Closes a key as soon as the outcome of its changes is known, also after the limit for one answer.</summary>
    public static ValueTask CloseAsync(KeyHandle handle) =>
        UntilKnownAsync(handle, handle.CloseWhenDrainedAsync(), static handle => handle.CloseWhenDrainedAsync());

    /// <summary>Waits for the close of a key at the end of an activation, within the limit of deactivations. The close continues.</summary>
    public async Task CloseInTimeAsync(Task closing, CancellationToken cancellationToken)
    {
        if (!await answers.IsClosedAsync(closing, cancellationToken).ConfigureAwait(false))
            telemetry.ClosesLate();
    }

    /// <summary>Reads a key. With claims, the caller becomes its owner.</summary>
    public ValueTask<OpenedKey> OpenAsync(PartitionKey key)
    {
        if (ownership == GrainOwnership.None)
            return FillAsync(key);
        telemetry.Claimed();
        return client.OpenClaimedAsync(key);
    }

    /// <summary>Reads an open key anew: with claims under the present claim, otherwise through a new handle.</summary>
    public async ValueTask<OpenedKey> ReopenAsync(KeyHandle handle)
    {
        if (ownership == GrainOwnership.Claim)
            return await RefreshAsync(handle).ConfigureAwait(false);
        await handle.CloseWhenDrainedAsync().ConfigureAwait(false);
        return await FillAsync(handle.Key).ConfigureAwait(false);
    }

    /// <summary>Reads a key without opening it: nothing is claimed, and no owner is fenced.</summary>
    public ValueTask<PeekedKey> PeekAsync(PartitionKey key, CancellationToken cancellationToken) => client.PeekAsync(key, cancellationToken);

    /// <summary>Lists the stored keys that begin with a text. Nothing is claimed.</summary>
    public IAsyncEnumerable<PartitionKey> ListAsync(string prefix, CancellationToken cancellationToken) => client.ListKeysAsync(prefix, cancellationToken);

    /// <summary>Ends the claim of a key, for owners without claims.</summary>
    public ValueTask ReleaseAsync(PartitionKey key) => client.ResetOwnerAsync(key);

    /// <summary>Opens a key without reading it, if the store still holds this owner and this version.</summary>
    /// <exception cref="FencedException">The store holds another owner or version.</exception>
    public async ValueTask<KeyHandle> OpenAtAsync(PartitionKey key, KeyOwner owner, Stamp version)
    {
        var handle = await client.OpenAtAsync(key, owner, version).ConfigureAwait(false);
        telemetry.Resumed();
        return handle;
    }

    /// <summary>Claims a key that was peeked, if it has not changed since.</summary>
    /// <exception cref="FencedException">The store holds another owner or version.</exception>
    public ValueTask<KeyHandle> ClaimAtAsync(PeekedKey peeked)
    {
        telemetry.Claimed();
        return client.OpenAtAsync(peeked.Key, peeked.Owner, peeked.Version);
    }

    /// <summary>
    /// Fills a key without a claim. If the client had the key open already, the fill has read nothing: the handle is closed, and the key filled again.
    /// </summary>
    /// <exception cref="FencedException">The key is claimed, in the store or by other code of this client.</exception>
    private async ValueTask<OpenedKey> FillAsync(PartitionKey key)
    {
        for (var fill = 0; fill < MostFills; fill++)
        {
            var opened = await client.OpenAsync(key).ConfigureAwait(false);
            var handle = opened.Handle;
            // The parts of a claimed handle belong to its owner.
            if (handle.Owner.IsClaimed)
                throw new FencedException(key, handle.Epoch);
            if (opened is not OpenedKey.AlreadyOpen)
                return opened;
            try
            {
                await handle.CloseWhenDrainedAsync().ConfigureAwait(false);
            }
            catch (StoutException) when (handle.IsClosed)
            {
                // The user of the handle gets its error. The next fill reads the key.
            }
        }

        throw OpenElsewhere(key);
    }

    /// <summary>Reads a claimed key anew. If it has undurable changes, the client returns the handle without a read, so the changes are awaited first.</summary>
    private async ValueTask<OpenedKey> RefreshAsync(KeyHandle handle)
    {
        for (var fill = 0; fill < MostFills; fill++)
        {
            var opened = await client.ReopenAsync(handle).ConfigureAwait(false);
            if (opened is not OpenedKey.AlreadyOpen)
                return opened;
            handle = opened.Handle;
            await handle.WhenSafeAsync().ConfigureAwait(false);
        }

        throw OpenElsewhere(handle.Key);
    }

    private static async ValueTask UntilKnownAsync(KeyHandle handle, ValueTask first, Func<KeyHandle, ValueTask> again)
    {
        for (var wait = first; ; wait = again(handle))
        {
            try
            {
                await wait.ConfigureAwait(false);
                return;
            }
            catch (OutcomeUnknownException error) when (error.Reason == OutcomeUnknownReason.NotAnsweredInTime)
            {
                // The change may still become durable or fail.
            }
        }
    }

    private static FillFailedException OpenElsewhere(PartitionKey key) =>
        new(key, new InvalidOperationException("Other code goes on opening the key in the same client."));
}
