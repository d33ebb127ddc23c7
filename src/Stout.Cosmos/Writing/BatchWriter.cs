using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>
/// Commits a batch in as few transactions as possible. A failed condition fails the whole transaction: the key of that condition is decided by its header,
/// and the others are sent again. If the service refuses a transaction without naming an operation, each key is sent alone, so that a refused key fails
/// alone.
/// </summary>
internal sealed class BatchWriter(PartitionRequests requests, string partitionKey, StorageLimits limits, EpochFloor floor, Action<int> noteGarbage)
{
    // The number of rounds that trust known headers. Later rounds first read all headers. Otherwise a server that has lost its keys to another one would
    // meet a failed condition for each key, one in each round.
    private const int TrustedRounds = 2;

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        var open = Begin(batch);
        await PrepareDeletionsAsync(open, cancellationToken).ConfigureAwait(false);
        open.RemoveAll(static change => change.IsSettled);
        using var items = new ItemWriter(partitionKey);

        // In each round, each transaction decides at least one of its keys, puts one in doubt, or makes all go alone. Each key is in doubt a few times at
        // most, so the loop ends.
        for (var round = 0; open.Count > 0; round++)
        {
            await ReadHeadersAsync(open, all: round >= TrustedRounds, cancellationToken).ConfigureAwait(false);
            open.RemoveAll(static change => change.IsSettled);
            await Task.WhenAll(Pack(open, items).Select(plans => SendAsync(plans, cancellationToken))).ConfigureAwait(false);
            open.RemoveAll(static change => change.IsSettled);
        }
    }

    private List<BatchedKey> Begin(WriteBatch batch)
    {
        limits.Admit(batch);
        return [.. Enumerable.Range(0, batch.Count).Where(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Unknown).Select(i => new BatchedKey(batch, i))];
    }

    /// <summary>
    /// Raises the epoch floor to the largest epoch of the deletions' owners. The service removes headers of deleted objects by itself, and their epochs must
    /// not be given again.
    /// </summary>
    private async ValueTask PrepareDeletionsAsync(List<BatchedKey> open, CancellationToken cancellationToken)
    {
        var deletions = open.Where(static change => change.Write is { Kind: KeyWriteKind.Delete, Owner.Epoch: > 0 }).ToList();
        if (deletions.Count == 0)
            return;
        try
        {
            await floor.RaiseAsync(deletions.Max(static change => change.Write.Owner.Epoch), cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            deletions.ForEach(change => change.Fail(error));
        }
    }

    private Task ReadHeadersAsync(List<BatchedKey> open, bool all, CancellationToken cancellationToken) =>
        Task.WhenAll(open.Where(change => all || change.NeedsHeader).Select(change => ReadHeaderAsync(change, cancellationToken)));

    private async Task ReadHeaderAsync(BatchedKey change, CancellationToken cancellationToken)
    {
        try
        {
            change.Judge(await requests.ReadAsync(ItemIds.HeaderOf(change.EncodedKey), cancellationToken).ConfigureAwait(false));
        }
        catch (StoreException error)
        {
            change.Fail(error);
        }
    }

    private IEnumerable<List<KeyPlan>> Pack(List<BatchedKey> open, ItemWriter items)
    {
        var (plans, operations, longKeyBytes) = (new List<KeyPlan>(), 0, 0);
        foreach (var change in open)
        {
            var plan = KeyPlan.Of(change, items, limits.DeletedHeaderRetention!.Value);
            if (change.GoesAlone)
            {
                yield return [plan];
                continue;
            }

            var moreLongKeyBytes = LongKeys.StoredOf(change.Write.Key)?.Length ?? 0;
            if (operations + plan.Operations.Count > CosmosLimits.MaxOperations || longKeyBytes + moreLongKeyBytes > CosmosLimits.MaxLongKeyBytes)
            {
                yield return plans;
                (plans, operations, longKeyBytes) = ([], 0, 0);
            }

            plans.Add(plan);
            operations += plan.Operations.Count;
            longKeyBytes += moreLongKeyBytes;
        }

        if (operations > 0)
            yield return plans;
    }

    private async Task SendAsync(List<KeyPlan> plans, CancellationToken cancellationToken)
    {
        try
        {
            var answer = await requests.ExecuteAsync([.. plans.SelectMany(static plan => plan.Operations)], cancellationToken).ConfigureAwait(false);
            if (answer.IsCommitted)
                Commit(plans, answer);
            else if (answer.IsConditionFailed)
                OwnerOf(plans, answer.Failed).Doubt();
            else
                OwnerOf(plans, answer.Failed).Fail(CosmosErrors.Classify(answer.Status));
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Refused && plans.Count > 1)
        {
            plans.ForEach(static plan => plan.Change.GoesAlone = true);
        }
        catch (StoreException error)
        {
            plans.ForEach(plan => plan.Change.Fail(error));
        }
    }

    private void Commit(List<KeyPlan> plans, TransactionAnswer answer)
    {
        var operation = 0;
        foreach (var plan in plans)
        {
            plan.Commit(answer.ETagOf(operation));
            operation += plan.Operations.Count;
        }

        noteGarbage(plans.Count(static plan => plan.MakesGarbage));
    }

    private static BatchedKey OwnerOf(List<KeyPlan> plans, int operation)
    {
        var index = 0;
        while (operation >= plans[index].Operations.Count)
            operation -= plans[index++].Operations.Count;
        return plans[index].Change;
    }
}
