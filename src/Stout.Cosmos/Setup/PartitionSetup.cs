using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Sets up one store partition with an item for its identity.</summary>
internal sealed class PartitionSetup(PartitionRequests requests, int partition) : IPartitionSetup
{
    public string Name => $"Store partition {partition}";

    public async ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) =>
        (await ReadItemAsync(cancellationToken).ConfigureAwait(false))?.ToIdentity();

    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        // If another process has created the item first, that process's item counts.
        var mark = new ItemOperation(ItemOperationKind.Create, ItemIds.Identity, IdentityItem.Of(identity).ToJson());
        _ = await requests.ExecuteAsync([mark], cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken)
    {
        if (await ReadItemAsync(cancellationToken).ConfigureAwait(false) is { IsReady: false } found && found.SetId == identity.SetId)
        {
            var ready = new ItemOperation(ItemOperationKind.Replace, ItemIds.Identity, (found with { IsReady = true }).ToJson(), found.ETag);
            if ((await requests.ExecuteAsync([ready], cancellationToken).ConfigureAwait(false)).IsCommitted)
                return;
        }

        if (await ReadItemAsync(cancellationToken).ConfigureAwait(false) is not { IsReady: true } other || other.SetId != identity.SetId)
            throw new StoreException(StoreErrorKind.LayoutMismatch, $"{Name} has been changed by another program.");
    }

    private async ValueTask<IdentityItem?> ReadItemAsync(CancellationToken cancellationToken) =>
        await requests.ReadJsonAsync(ItemIds.Identity, cancellationToken).ConfigureAwait(false) is { } json ? IdentityItem.Parse(json, partition) : null;
}
