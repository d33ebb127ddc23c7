using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Reading;

/// <summary>Reads and claims keys.</summary>
internal sealed class KeyReader(PartitionRequests requests)
{
    // A key has one owner, so another write during a read is rare.
    private const int MaxAttempts = 50;

    public async ValueTask<ReadOutcome> ReadAsync(KeyRead read, CancellationToken cancellationToken)
    {
        try
        {
            var key = ItemIds.EncodeKey(read.Key);
            for (var attempt = 0; attempt < MaxAttempts; attempt++)
            {
                if (await TryReadAsync(key, Stamp.Absent, cancellationToken).ConfigureAwait(false) is { } outcome)
                    return outcome;
            }

            throw new StoreException(StoreErrorKind.Unknown, "The key is being changed without pause.");
        }
        catch (StoreException error)
        {
            return ReadOutcome.Of(error);
        }
    }

    /// <returns>The outcome; null if the key has changed meanwhile.</returns>
    private async ValueTask<ReadOutcome?> TryReadAsync(string key, Stamp claim, CancellationToken cancellationToken)
    {
        var header = await requests.ReadAsync(ItemIds.HeaderOf(key), cancellationToken).ConfigureAwait(false);
        if (header is null)
            return ReadOutcome.NotFound(Stamp.Absent);
        if (header.Stamp.Epoch > claim.Epoch)
            return ReadOutcome.FencedBy(default);
        if (header.Stamp.Epoch < claim.Epoch)
            header = await requests.ClaimAsync(header.Id, claim, cancellationToken).ConfigureAwait(false);
        if (header is null)
            return null;
        if (header.IsDeleted)
            return ReadOutcome.NotFound(header.Stamp, header.Token);
        return header.HasRows
            ? await ReadPartsAsync(key, header, cancellationToken).ConfigureAwait(false)
            : ReadOutcome.Found(header.Stamp, PartsOf(header, key, []), header.Token);
    }

    /// <summary>
    /// Reads header and parts with one query. Within a page the service shows whole transactions. A transaction
    /// may commit between two pages; the header then differs before the first page and after the last.
    /// </summary>
    /// <returns>The outcome; null if the key has changed meanwhile.</returns>
    private async ValueTask<ReadOutcome?> ReadPartsAsync(string key, StoredItem before, CancellationToken cancellationToken)
    {
        var items = new List<StoredItem>();
        var pages = await requests.QueryAsync("*", ItemIds.PrefixOf(key), items, cancellationToken).ConfigureAwait(false);
        var id = ItemIds.HeaderOf(key);
        if (items.Find(item => item.Id == id)?.AsHeader() is not { IsDeleted: false } header || header.Stamp.Epoch != before.Stamp.Epoch)
            return null;
        if (pages > 1 && (header.ETag != before.ETag || (await requests.ReadAsync(id, cancellationToken).ConfigureAwait(false))?.ETag != before.ETag))
            return null;
        var parts = PartsOf(header, key, items);
        return ReadOutcome.Found(header.Stamp, parts, header.Token with { Parts = KnownParts.Of(parts) });
    }

    private static List<StoredPart> PartsOf(StoredItem header, string key, List<StoredItem> items)
    {
        var parts = new List<StoredPart>(items.Count + 1);
        if (header.Root == RootPlace.Inline)
            parts.Add(new StoredPart(SubKey.Root, header.Value));
        var generation = items.Count > 0 ? ItemIds.EncodeGeneration(header.Generation) : "";
        foreach (var item in items)
        {
            if (item.IsDeleted || !ItemIds.GenerationOf(item.Id, key).SequenceEqual(generation))
                continue;
            if (item.IsDamaged || item.Value is null)
                throw new StoreException(StoreErrorKind.Corrupt, "A part is damaged, or has no value.");
            parts.Add(new StoredPart(ItemIds.SubKeyOf(item.Id, key), item.Value));
        }

        // A missing root item makes the object incomplete; a root item that the header does not mention is damage too.
        if (parts.Count(static part => part.SubKey.IsRoot) != (header.Root == RootPlace.None ? 0 : 1))
            throw new StoreException(StoreErrorKind.Corrupt, "The object's own bytes are missing, or are there twice.");
        return parts;
    }
}
