using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>Reads headers without their values, to find the outcomes of writes.</summary>
internal sealed class HeaderReader(PartitionTable table)
{
    private const int AtOnce = 32;

    /// <summary>
    /// Reads the headers of some changes, and passes each header to its change. If a read fails after an attempt to write, the write's outcome is unknown. An
    /// earlier request may have applied the write, so that the attempt failed at the write's own stamp.
    /// </summary>
    public Task ReadAsync(IEnumerable<BatchedKey> changes, bool afterAttempt, CancellationToken cancellationToken) => Parallel.ForEachAsync(
        changes,
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancellationToken },
        async (change, token) =>
        {
            try
            {
                var row = await table.FindAsync(change.HeaderRow, Layout.HeaderProperties, token).ConfigureAwait(false);
                change.Learn(row is null ? null : Header.Of(row));
            }
            catch (StoreException error)
            {
                // A damaged header has no stamp, so repeating would not settle the write.
                change.IsInDoubt |= afterAttempt && error.Kind != StoreErrorKind.Corrupt;
                change.Fail(error);
            }
        });

    /// <summary>Reads the existing part rows of the changes' keys, of the current generations only.</summary>
    public Task ReadRowsAsync(IEnumerable<BatchedKey> changes, CancellationToken cancellationToken) => Parallel.ForEachAsync(
        changes,
        new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancellationToken },
        async (change, token) =>
        {
            try
            {
                var query = RowQuery.Prefix(table.Name, change.PartRows) with { Select = Layout.RowKeyAlone };
                var (rows, _) = await table.QueryAllAsync(query, token).ConfigureAwait(false);
                change.LearnRows(rows.Select(static row => row.RowKey));
            }
            catch (StoreException error)
            {
                change.Outcome = new WriteOutcome(WriteOutcomeKind.Unknown, Error: error, RetryAfter: error.RetryAfter);
            }
        });
}
