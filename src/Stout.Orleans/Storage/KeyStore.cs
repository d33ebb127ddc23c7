using Stout.Orleans.Diagnostics;
using Stout.Storage;

namespace Stout.Orleans.Storage;

/// <summary>Opens the keys of states for one provider, with claims or without.</summary>
internal sealed class KeyStore(StoutClient client, GrainApplication application, GrainOwnership ownership, OrleansTelemetry telemetry)
{
    public GrainApplication Application => application;

    public GrainOwnership Ownership => ownership;

    public OrleansTelemetry Telemetry => telemetry;

    /// <summary>This store if it claims keys; otherwise the same store with claims.</summary>
    public KeyStore WithClaims => ownership == GrainOwnership.Claim ? this : new KeyStore(client, application, GrainOwnership.Claim, telemetry);

    /// <summary>The largest value that the store holds, in bytes.</summary>
    public long MaxValueBytes => client.Limits.MaxValueBytes;

    /// <summary>Reads a key. With claims, the caller becomes its owner.</summary>
    public ValueTask<KeyHandle> OpenAsync(PartitionKey key) => ownership == GrainOwnership.None ? client.FillAsync(key) : ClaimAsync(key);

    /// <summary>Claims a key and reads it.</summary>
    public ValueTask<KeyHandle> ClaimAsync(PartitionKey key)
    {
        telemetry.Claimed();
        return client.ClaimAsync(key);
    }

    /// <summary>Reads an open key anew: with claims under the present claim, otherwise through a new handle.</summary>
    public async ValueTask<KeyHandle> ReopenAsync(KeyHandle handle)
    {
        if (ownership == GrainOwnership.Claim)
            return await client.RefreshAsync(handle).ConfigureAwait(false);
        await handle.CloseWhenDrainedAsync().ConfigureAwait(false);
        return await client.FillAsync(handle.Key).ConfigureAwait(false);
    }

    /// <summary>Opens a key without reading it, if the store still holds this owner and this version.</summary>
    /// <exception cref="FencedException">The store holds another owner or version.</exception>
    public async ValueTask<KeyHandle> OpenAtAsync(PartitionKey key, KeyOwner owner, Stamp version)
    {
        var handle = await client.OpenAtAsync(key, owner, version).ConfigureAwait(false);
        telemetry.Resumed();
        return handle;
    }
}
