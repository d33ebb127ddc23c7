using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Reading;

/// <summary>Reads and claims keys.</summary>
internal sealed class KeyReader(PartitionRequests requests, EpochFloor floor, KeyClaimer claimer)
{
    // Each further attempt means that the key changed during the read. That is rare, since a key has one owner.
    private const int MaxAttempts = 20;

    public async ValueTask<ReadOutcome> ReadAsync(KeyRead read, ReadBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            var key = ItemIds.EncodeKey(read.Key);
            var wasClaimed = false;
            for (var attempt = 0; attempt < MaxAttempts; attempt++)
            {
                var (outcome, claimed) = await TryReadAsync(key, read, batch, wasClaimed, cancellationToken).ConfigureAwait(false);
                if (outcome is { } settled)
                    return settled;
                wasClaimed = claimed;
            }

            throw new StoreException(StoreErrorKind.Busy, "The key changes faster than it can be read.");
        }
        catch (StoreException error)
        {
            return ReadOutcome.Of(error);
        }
    }

    /// <param name="key">The encoded key.</param>
    /// <param name="read">The read.</param>
    /// <param name="batch">The batch of the read, which makes progress with each page.</param>
    /// <param name="wasClaimed">Whether an earlier attempt has claimed the key. If the key has another owner now, a later claim has fenced this one.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The outcome, or null if the key has changed meanwhile; and whether the key is claimed.</returns>
    private async ValueTask<(ReadOutcome? Outcome, bool IsClaimed)> TryReadAsync(string key, KeyRead read, ReadBatch batch, bool wasClaimed, CancellationToken cancellationToken)
    {
        var header = await requests.ReadAsync(ItemIds.HeaderOf(key), cancellationToken).ConfigureAwait(false);
        if (header is not null && !LongKeys.Matches(read.Key, header.LongKey))
            throw LongKeys.Mismatch();
        if (read.Claim is { } claim)
        {
            var stored = header?.Key ?? default;
            if (wasClaimed && stored.Owner.Claim != claim.Id)
                return (ReadOutcome.FencedBy(stored), true);
            if (await floor.JudgeAsync(stored, claim, cancellationToken).ConfigureAwait(false) is not { } owner)
                return (ReadOutcome.FencedBy(stored), false);
            if (owner != stored.Owner)
            {
                header = await claimer.ClaimAsync(key, read.Key, header, owner, isExact: claim.OnlyIf is not null, cancellationToken).ConfigureAwait(false);
                if (header is null)
                    return (null, false);
            }
        }

        return (header is null ? ReadOutcome.NotFound(Stamp.Absent) : await ReadObjectAsync(key, header, read, batch, cancellationToken).ConfigureAwait(false), true);
    }

    /// <returns>The outcome; null if the key has changed meanwhile.</returns>
    private async ValueTask<ReadOutcome?> ReadObjectAsync(string key, StoredItem header, KeyRead read, ReadBatch batch, CancellationToken cancellationToken)
    {
        if (header.IsDeleted)
            return ReadOutcome.NotFound(header.Version, header.Token, header.Owner);
        if (!read.ReadsParts)
            return ReadOutcome.Found(header.Version, [], header.Token, header.Owner);
        return header.HasRows
            ? await ReadPartsAsync(key, header, read, batch, cancellationToken).ConfigureAwait(false)
            : ReadOutcome.Found(header.Version, PartsOf(header, key, []), header.Token, header.Owner);
    }

    /// <summary>
    /// Reads header and parts with one query. Within a page the service shows whole transactions. A transaction may commit between two pages. The header
    /// that was read before the first page then differs from the header after the last page.
    /// </summary>
    /// <returns>The outcome; null if the key has changed meanwhile.</returns>
    private async ValueTask<ReadOutcome?> ReadPartsAsync(string key, StoredItem before, KeyRead read, ReadBatch batch, CancellationToken cancellationToken)
    {
        var items = new List<StoredItem>();
        var pages = await requests.QueryAsync("*", ItemIds.PrefixOf(key), items, cancellationToken, batch).ConfigureAwait(false);
        var id = ItemIds.HeaderOf(key);
        if (items.Find(item => item.Id == id)?.AsHeader() is not { IsDeleted: false } header)
            return null;
        if (read.Claim is not null && header.Owner != before.Owner)
            return ReadOutcome.FencedBy(header.Key);
        if (pages > 1 && (header.ETag != before.ETag || (await requests.ReadAsync(id, cancellationToken).ConfigureAwait(false))?.ETag != before.ETag))
            return null;
        var parts = PartsOf(header, key, items);
        return ReadOutcome.Found(header.Version, parts, header.Token with { Parts = KnownParts.Of(parts) }, header.Owner);
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
