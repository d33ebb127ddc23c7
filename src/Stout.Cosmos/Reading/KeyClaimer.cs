using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Writing;
using Stout.Storage;

namespace Stout.Cosmos.Reading;

/// <summary>Gives keys their owners: by a conditional change of the header, or by creating it.</summary>
internal sealed class KeyClaimer(PartitionRequests requests, EpochFloor floor, string partitionKey, TimeSpan retention)
{
    /// <summary>Gives a key its owner.</summary>
    /// <param name="key">The encoded row key.</param>
    /// <param name="whole">The key.</param>
    /// <param name="header">The header that was read, or null.</param>
    /// <param name="owner">The new owner.</param>
    /// <param name="isExact">Whether the header's version must be unchanged, too.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The new header; null if the stored header has changed meanwhile.</returns>
    public async ValueTask<StoredItem?> ClaimAsync(
        string key, PartitionKey whole, StoredItem? header, KeyOwner owner, bool isExact, CancellationToken cancellationToken)
    {
        // A header without an object has a time to live, so the epoch floor must reach its epoch before the service can remove it.
        if (header is null or { IsDeleted: true })
            await floor.RaiseAsync(owner.Epoch, cancellationToken).ConfigureAwait(false);
        return header is null
            ? await CreateAsync(key, whole, owner, cancellationToken).ConfigureAwait(false)
            : await requests.ClaimAsync(header, owner, isExact, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<StoredItem?> CreateAsync(string key, PartitionKey whole, KeyOwner owner, CancellationToken cancellationToken)
    {
        var id = ItemIds.HeaderOf(key);
        using var items = new ItemWriter(partitionKey);
        var create = new ItemOperation(ItemOperationKind.Create, id, items.EmptyHeader(id, whole, new KeyHeader(Stamp.Absent, owner), Stamp.Absent, retention));
        var answer = await requests.ExecuteAsync([create], cancellationToken).ConfigureAwait(false);
        return answer.IsCommitted ? new StoredItem { Id = id, ETag = answer.ETagOf(0), Owner = owner, IsDeleted = true } : null;
    }
}
