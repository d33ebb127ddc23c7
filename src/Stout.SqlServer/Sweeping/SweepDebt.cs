using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// An estimate of the dead rows left by this process's writes: every written row can die once. Each replaced or deleted object counts with <see
/// cref="RowsOfOldObject"/> more, since it may have rows from before this process.
/// </summary>
internal sealed class SweepDebt
{
    /// <summary>The number of dead rows that starts a sweep. Fewer rows are not worth the sweep's statements.</summary>
    public const int Due = 256;

    /// <summary>The number of dead rows at which writes wait for the sweep.</summary>
    public const int Limit = 1_024;

    /// <summary>The bytes that count as one more row, since even a few large values fill a disk.</summary>
    public const int BytesPerRow = 64 << 10;

    private const int RowsOfOldObject = 4;

    private long _written;

    /// <summary>Counts a written batch.</summary>
    /// <returns>The number of rows that may now be dead: 0 for a batch that replaces and deletes no object.</returns>
    public long Count(WriteBatch batch)
    {
        var (rows, kills) = (0L, 0);
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch.OutcomeOf(i).Kind != WriteOutcomeKind.Committed)
                continue;
            if (batch[i].Kind != KeyWriteKind.Merge)
                kills++;
            foreach (ref readonly var part in batch.PartsOf(i))
            {
                if (!part.IsDeleted && RootPlaces.IsRow(part))
                    rows += 1 + (part.Value.Length / BytesPerRow);
            }
        }

        Interlocked.Add(ref _written, rows);
        return kills == 0 ? 0 : (RowsOfOldObject * kills) + Interlocked.Exchange(ref _written, 0);
    }
}
