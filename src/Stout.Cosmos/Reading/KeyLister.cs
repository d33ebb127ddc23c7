using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Reading;

/// <summary>Lists keys.</summary>
internal sealed class KeyLister(PartitionRequests requests)
{
    /// <exception cref="StoreException">The keys could not be listed.</exception>
    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        var headers = new List<StoredItem>();
        var next = await requests
            .ListAsync(ItemIds.PrefixOfKeys(listing.RowPrefix), listing.MostKeys, listing.Continuation, headers, cancellationToken).ConfigureAwait(false);
        var keys = new List<PartitionKey>(headers.Count);
        foreach (var header in headers)
        {
            if (!header.IsDeleted && ItemIds.KeyOf(header) is { } key && listing.Has(key))
                keys.Add(key);
        }

        return new KeyPage(keys, next);
    }
}
