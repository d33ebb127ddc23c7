using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>
/// Removes the items of dead generations. It scans nothing: the write that leaves them notes the key in an item of its own. Headers of
/// deleted objects are the service's to remove, by their time to live.
/// </summary>
/// <remarks>Several processes may sweep one store partition at once: what one has removed makes another stop, and look again later.</remarks>
internal sealed class Sweeper(PartitionRequests requests, TimeSpan delay, Action<StoreException> onFailure)
{
    // Each key takes four requests, one after the other.
    private const int KeysAtOnce = 8;

    /// <summary>Sweeps what is noted.</summary>
    /// <returns>When to go on, or null: nothing is left.</returns>
    public async Task<TimeSpan?> SweepAsync(CancellationToken cancellationToken)
    {
        try
        {
            var notes = new List<StoredItem>();
            await requests.QueryAsync("c.id, c._etag", ItemIds.GarbagePrefix, notes, cancellationToken).ConfigureAwait(false);
            var left = 0;
            await Parallel.ForEachAsync(
                notes,
                new ParallelOptions { MaxDegreeOfParallelism = KeysAtOnce, CancellationToken = cancellationToken },
                async (note, token) =>
                {
                    if (!await SweepOneAsync(note, token).ConfigureAwait(false))
                        Interlocked.Increment(ref left);
                }).ConfigureAwait(false);
            return left == 0 ? null : delay;
        }
        catch (StoreException error)
        {
            onFailure(error);
            return Longer(delay, error.RetryAfter);
        }
    }

    /// <summary>Sweeps one key. A damaged item is passed over: the keys after it are swept all the same.</summary>
    private async ValueTask<bool> SweepOneAsync(StoredItem note, CancellationToken cancellationToken)
    {
        try
        {
            return await SweepKeyAsync(note, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Corrupt)
        {
            onFailure(error);
            return true;
        }
    }

    private async ValueTask<bool> SweepKeyAsync(StoredItem note, CancellationToken cancellationToken)
    {
        var key = ItemIds.KeyOfGarbage(note.Id);
        var items = new List<StoredItem>();
        await requests.QueryAsync("c.id", ItemIds.PrefixOf(key), items, cancellationToken).ConfigureAwait(false);

        // The header is read after the items: a generation that had items then and is not the header's now is dead, and
        // never comes back. The other way round a new one would be taken for dead.
        var header = await requests.ReadAsync(ItemIds.HeaderOf(key), cancellationToken).ConfigureAwait(false);
        var living = header is null ? "" : ItemIds.EncodeGeneration(header.Generation);
        foreach (var dead in items.Where(item => IsDead(item.Id, key, living)).Chunk(CosmosLimits.MaxOperations))
        {
            var removal = await requests
                .ExecuteAsync([.. dead.Select(static item => new ItemOperation(ItemOperationKind.Delete, item.Id))], cancellationToken)
                .ConfigureAwait(false);
            if (!removal.IsCommitted)
                return false;
        }

        // If the note has been made anew meanwhile, there is more to do.
        var end = await requests.ExecuteAsync([new ItemOperation(ItemOperationKind.Delete, note.Id, ETag: note.ETag)], cancellationToken).ConfigureAwait(false);
        return end.IsCommitted;
    }

    private static bool IsDead(string id, string key, string living)
    {
        var generation = ItemIds.GenerationOf(id, key);
        return generation.Length > 0 && !generation.SequenceEqual(living);
    }

    private static TimeSpan Longer(TimeSpan left, TimeSpan? right) => right > left ? right.Value : left;
}
