using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>
/// Removes the items of dead generations without scanning: the write that leaves them adds a note for the key. The service removes headers of deleted
/// objects by their time to live.
/// </summary>
/// <remarks>
/// Several processes may sweep one store partition at once. If another process has removed an item first, the sweep of that key stops, and a later sweep
/// checks the key again.
/// </remarks>
internal sealed class Sweeper(PartitionRequests requests, StoreSweepOptions options)
{
    // Several keys are swept concurrently, since each takes four sequential requests.
    private const int KeysAtOnce = 8;

    private readonly int _batchSize = Math.Min(options.BatchSize ?? CosmosLimits.MaxOperations, CosmosLimits.MaxOperations);

    // True at the beginning, since another process may have left notes.
    private volatile bool _mayHaveGarbage = true;

    /// <summary>Records that a write has noted garbage. Without notes a sweep makes no request.</summary>
    public void NoteGarbage() => _mayHaveGarbage = true;

    /// <summary>Sweeps the noted keys.</summary>
    /// <param name="job">Records the keys that a sweep has to skip.</param>
    /// <param name="cancellationToken">Ends the sweep.</param>
    /// <exception cref="StoreException">The store failed; the notes are left to the next sweep.</exception>
    public async ValueTask SweepAsync(BackgroundJob job, CancellationToken cancellationToken)
    {
        if (!_mayHaveGarbage)
            return;
        _mayHaveGarbage = false;
        try
        {
            var notes = new List<StoredItem>();
            await requests.QueryAsync("c.id, c._etag", ItemIds.GarbagePrefix, notes, cancellationToken).ConfigureAwait(false);
            await Parallel.ForEachAsync(
                notes,
                new ParallelOptions { MaxDegreeOfParallelism = KeysAtOnce, CancellationToken = cancellationToken },
                async (note, token) =>
                {
                    if (!await SweepOneAsync(note, job, token).ConfigureAwait(false))
                        NoteGarbage();
                }).ConfigureAwait(false);
        }
        catch
        {
            NoteGarbage();
            throw;
        }
    }

    /// <summary>Sweeps one key. A damaged item is skipped, so that other keys are still swept.</summary>
    private async ValueTask<bool> SweepOneAsync(StoredItem note, BackgroundJob job, CancellationToken cancellationToken)
    {
        try
        {
            return await SweepKeyAsync(note, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Corrupt)
        {
            job.Fail(error);
            return true;
        }
    }

    private async ValueTask<bool> SweepKeyAsync(StoredItem note, CancellationToken cancellationToken)
    {
        var key = ItemIds.KeyOfGarbage(note.Id);
        var items = new List<StoredItem>();
        await requests.QueryAsync("c.id", ItemIds.PrefixOf(key), items, cancellationToken).ConfigureAwait(false);

        // The header is read after the items: a generation that had items before and is not the header's now is dead, and never returns. In the
        // opposite order a new generation would count as dead.
        var header = await requests.ReadAsync(ItemIds.HeaderOf(key), cancellationToken).ConfigureAwait(false);
        var living = header is null ? "" : ItemIds.EncodeGeneration(header.Generation);
        foreach (var dead in items.Where(item => IsDead(item.Id, key, living)).Chunk(_batchSize))
        {
            var removal = await requests
                .ExecuteAsync([.. dead.Select(static item => new ItemOperation(ItemOperationKind.Delete, item.Id))], cancellationToken)
                .ConfigureAwait(false);
            if (!removal.IsCommitted)
                return false;
        }

        // If the note has been written again meanwhile, the note stays: the key has new garbage.
        var end = await requests.ExecuteAsync([new ItemOperation(ItemOperationKind.Delete, note.Id, ETag: note.ETag)], cancellationToken).ConfigureAwait(false);
        return end.IsCommitted;
    }

    private static bool IsDead(string id, string key, string living)
    {
        var generation = ItemIds.GenerationOf(id, key);
        return generation.Length > 0 && !generation.SequenceEqual(living);
    }
}
