using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout;

/// <content>Opens keys: with the paper's calls, which return a handle, and with those that also return what the store had.</content>
public sealed partial class StoutClient
{
    /// <summary>
    /// Reads a key, calls the application to create its object (<see cref="IStoutApplication.DeserializeAsync"/>), and returns the key's handle: the
    /// paper's Stout.Fill. Concurrent callers share one read and one handle. A key that is filled already, with or without a claim, is not read again.
    /// </summary>
    /// <param name="key">The key. A key that the store does not have is filled as absent.</param>
    /// <param name="cancellationToken">Stops the waiting. Once every caller has stopped waiting, the fill ends: the key is not read any more, or the handle
    /// that the callback got is closed.</param>
    /// <exception cref="FillFailedException">The key could not be read, or its object could not be made.</exception>
    /// <exception cref="ObjectTooLargeException">The object is larger than the options allow.</exception>
    /// <exception cref="FencedException">
    /// The store holds a claim of the key (<see cref="FencedException.StoredEpoch"/> tells its epoch), or a call of this client has claimed it meanwhile.
    /// <see cref="ClaimAsync(PartitionKey, long, CancellationToken)"/> takes it over; <see cref="ResetOwnerAsync"/> ends the use of claims for the key.
    /// </exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> FillAsync(PartitionKey key, CancellationToken cancellationToken = default) =>
        HandleAsync(OpenAsync(key, cancellationToken));

    /// <summary>
    /// Opens a key without a claim, and reads it. Concurrent callers share one read and one handle. A key that is open in this client already, with or without
    /// a claim, is not read again: <see cref="OpenedKey.AlreadyOpen"/>.
    /// </summary>
    /// <inheritdoc cref="FillAsync(PartitionKey, CancellationToken)" path="/param|/exception"/>
    public ValueTask<OpenedKey> OpenAsync(PartitionKey key, CancellationToken cancellationToken = default) =>
        OpenInTimeAsync(new FillCall(key), cancellationToken);

    /// <summary>
    /// Claims a key and fills it: the store first records a new owner durably, and then reads the key. From then on, every write of an earlier owner is fenced,
    /// on any server and at any time. Every call is a new claim, with a larger epoch than any before; if the key is open in this client, its handle is fenced.
    /// A key that the store does not have can be claimed too.
    /// </summary>
    /// <remarks>A claim whose caller has stopped waiting may still reach the store, and fence a later owner, which then has to claim the key anew.</remarks>
    /// <param name="key">The key.</param>
    /// <param name="atLeastEpoch">The smallest allowed epoch of the new ownership, 0 to <see cref="KeyClaim.MaxAtLeastEpoch"/>. Default: 0, for the next
    /// epoch.</param>
    /// <param name="cancellationToken">Stops the waiting, as for <see cref="FillAsync(PartitionKey, CancellationToken)"/>.</param>
    /// <exception cref="FillFailedException">The key could not be claimed or read, or its object could not be made.</exception>
    /// <exception cref="ObjectTooLargeException">The object is larger than the options allow.</exception>
    /// <exception cref="FencedException">Another caller has claimed the key meanwhile.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't claim keys: <see cref="StorageCapabilities.Claims"/>.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> ClaimAsync(PartitionKey key, long atLeastEpoch = 0, CancellationToken cancellationToken = default) =>
        HandleAsync(OpenClaimedAsync(key, atLeastEpoch, cancellationToken));

    /// <summary>Claims a key as <see cref="ClaimAsync"/> does, and returns also the parts.</summary>
    /// <inheritdoc cref="ClaimAsync" path="/remarks|/param|/exception"/>
    /// <returns><see cref="OpenedKey.Read"/> or <see cref="OpenedKey.Absent"/>.</returns>
    public ValueTask<OpenedKey> OpenClaimedAsync(PartitionKey key, long atLeastEpoch = 0, CancellationToken cancellationToken = default)
    {
        ThrowIfWithoutClaims();
        ArgumentOutOfRangeException.ThrowIfNegative(atLeastEpoch);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(atLeastEpoch, KeyClaim.MaxAtLeastEpoch);
        return OpenInTimeAsync(new FillCall(key, FillKind.Claim) { Claim = new KeyClaim(WriterId.New(), atLeastEpoch) }, cancellationToken);
    }

    /// <summary>
    /// Reads a key again under the claim of an earlier handle, which may have failed. If that handle is open and all its changes are durable, it is
    /// closed. If it has undurable changes, the handle itself is returned, without a read.
    /// </summary>
    /// <param name="handle">A handle of this client.</param>
    /// <param name="cancellationToken">Stops the waiting, as for <see cref="FillAsync(PartitionKey, CancellationToken)"/>.</param>
    /// <returns>The handle to use from now on, with the same owner.</returns>
    /// <exception cref="FencedException">The store, or this client, has another owner of the key.</exception>
    /// <exception cref="FillFailedException">The key could not be read, or its object could not be made.</exception>
    /// <exception cref="ObjectTooLargeException">The object is larger than the options allow.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> RefreshAsync(KeyHandle handle, CancellationToken cancellationToken = default) =>
        HandleAsync(ReopenAsync(handle, cancellationToken));

    /// <summary>Reads a key again as <see cref="RefreshAsync"/> does, and returns also the parts.</summary>
    /// <inheritdoc cref="RefreshAsync" path="/param|/exception"/>
    /// <returns>The key to use from now on, with the same owner; <see cref="OpenedKey.AlreadyOpen"/> if the handle has undurable changes.</returns>
    public ValueTask<OpenedKey> ReopenAsync(KeyHandle handle, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return OpenInTimeAsync(new FillCall(handle.Key, FillKind.Refresh) { Owner = handle.Owner }, cancellationToken);
    }

    /// <summary>
    /// Claims a key whose state the caller knows, without reading its parts and without a Deserialize callback. Use it to move an object between processes:
    /// pass the owner and the version of the handle that the other process has closed (<see cref="KeyHandle.CloseWhenDrainedAsync"/>). If the store has another
    /// owner or version, nothing is changed.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="owner">The owner that the store has to hold.</param>
    /// <param name="version">The version that the store has to hold; <see cref="Stamp.Absent"/> for a key that was never written.</param>
    /// <param name="cancellationToken">Stops the waiting, as for <see cref="FillAsync(PartitionKey, CancellationToken)"/>.</param>
    /// <exception cref="FencedException">The store holds another owner or another version. Claim the key instead, which also reads it.</exception>
    /// <exception cref="FillFailedException">The key could not be claimed.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't claim keys: <see cref="StorageCapabilities.Claims"/>.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> OpenAtAsync(PartitionKey key, KeyOwner owner, Stamp version, CancellationToken cancellationToken = default)
    {
        ThrowIfWithoutClaims();
        var claim = new KeyClaim(WriterId.New()) { OnlyIf = new KeyHeader(version, owner) };
        return HandleAsync(OpenInTimeAsync(new FillCall(key, FillKind.TakeOver) { Claim = claim }, cancellationToken));
    }

    /// <summary>
    /// Opens a key with or without a claim. The result is shared by calls with time limits of their own, so <see cref="StoutOptions.AnswerWithin"/> does not
    /// bound it.
    /// </summary>
    internal ValueTask<OpenedKey> OpenAsync(PartitionKey key, bool claims, CancellationToken cancellationToken) =>
        OpenAsync(claims ? new FillCall(key, FillKind.Claim) { Claim = new KeyClaim(WriterId.New()) } : new FillCall(key), cancellationToken);

    /// <summary>
    /// Opens a key that the caller knows to be new, without a read and without a Deserialize callback. If the store has the key after all, the handle's first
    /// write fails with <see cref="ConflictException"/>, or with <see cref="FencedException"/> if the key is claimed. If the key is already open or being
    /// filled in this client, that handle is returned.
    /// </summary>
    /// <inheritdoc cref="FillAsync(PartitionKey, CancellationToken)" path="/param|/exception"/>
    public ValueTask<KeyHandle> OpenAsAbsentAsync(PartitionKey key, CancellationToken cancellationToken = default) =>
        HandleAsync(OpenInTimeAsync(new FillCall(key, FillKind.Absent), cancellationToken));

    private static async ValueTask<KeyHandle> HandleAsync(ValueTask<OpenedKey> opening) => (await opening.ConfigureAwait(false)).Handle;

    /// <summary>Opens a key within <see cref="StoutOptions.AnswerWithin"/>.</summary>
    private ValueTask<OpenedKey> OpenInTimeAsync(FillCall request, CancellationToken cancellationToken)
    {
        return _answers is null ? OpenAsync(request, cancellationToken) : LimitAsync();

        async ValueTask<OpenedKey> LimitAsync()
        {
            using var limit = new AnswerLimit(_answers, cancellationToken);
            try
            {
                return await OpenAsync(request, limit.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (limit.HasEnded)
            {
                throw limit.ErrorOf(new FillFailedException(request.Key, AnswerLimits.Passed()));
            }
        }
    }

    private async ValueTask<OpenedKey> OpenAsync(FillCall request, CancellationToken cancellationToken)
    {
        ThrowIfEmpty(request.Key);
        cancellationToken.ThrowIfCancellationRequested();
        var lane = LaneOf(request.Key);
        await lane.AdmitAsync(toChange: false, cancellationToken).ConfigureAwait(false);
        using var gone = lane.Fill(request, cancellationToken);
        return await request.Task.ConfigureAwait(false);
    }
}
