using Stout.AzureTables.Transactions;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>Commits a batch in one transaction if it fits, and otherwise in several concurrent ones. Each key is in one transaction.</summary>
internal sealed class BatchWriter(PartitionTable table, StorageLimits limits, Sweeper sweeper, TimeProvider time)
{
    // Each key's estimate includes its share of the multipart envelope. The 1,024 bytes are for the envelope's start and end.
    private const int MaxBytes = TransactionBody.MaxBytes - 1_024;

    private readonly HeaderReader _headers = new(table);

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        limits.Admit(batch);
        await sweeper.Backlog.KeepUpAsync(cancellationToken).ConfigureAwait(false);
        var changes = new List<BatchedKey>(batch.Count);
        for (var i = 0; i < batch.Count; i++)
            changes.Add(new BatchedKey(batch, i) { Outcome = batch.OutcomeOf(i) is { Kind: WriteOutcomeKind.Refused } refused ? refused : null });

        try
        {
            await _headers.ReadAsync(changes.Where(static change => change is { Outcome: null, NeedsHeader: true }), afterAttempt: false, cancellationToken).ConfigureAwait(false);
            await Task.WhenAll(Pack(changes).Select(pack => new Transaction(table, _headers, time, limits.DeletedHeaderRetention!.Value, sweeper, pack).RunAsync(cancellationToken))).ConfigureAwait(false);
        }
        finally
        {
            for (var i = 0; i < changes.Count; i++)
                batch.SetOutcome(i, changes[i].Outcome ?? default);
        }
    }

    private static IEnumerable<List<BatchedKey>> Pack(List<BatchedKey> changes)
    {
        var pack = new List<BatchedKey>();
        var (entities, bytes) = (0, 0);
        foreach (var change in changes)
        {
            if (change.Outcome is not null)
                continue;
            var (moreEntities, moreBytes) = (change.Entities, change.Bytes);
            if (pack.Count > 0 && (entities + moreEntities > TransactionBody.MaxEntities || bytes + moreBytes > MaxBytes))
            {
                yield return pack;
                pack = [];
                (entities, bytes) = (0, 0);
            }

            pack.Add(change);
            entities += moreEntities;
            bytes += moreBytes;
        }

        if (pack.Count > 0)
            yield return pack;
    }
}
