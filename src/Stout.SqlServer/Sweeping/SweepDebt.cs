using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>
/// How many dead rows the writes of this process may leave: an upper bound, since every row that is written can die
/// once. Objects from before this process count with <see cref="RowsOfOldObject"/>.
/// </summary>
internal sealed class SweepDebt
{
    /// <summary>From here on a sweep is due at once. Fewer rows are not worth the statements of a sweep.</summary>
    public const int Due = 256;

    /// <summary>From here on writes wait for the sweep, so that dead rows do not become more and more.</summary>
    public const int Limit = 1_024;

    /// <summary>A row counts once more for every so many bytes: large values fill the disk before they are many.</summary>
    public const int BytesPerRow = 64 << 10;

    private const int RowsOfOldObject = 4;

    private long _written;

    /// <summary>Counts a batch that has been written.</summary>
    /// <returns>How many more rows may be dead.</returns>
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
                if (!part.IsDeleted && (!part.SubKey.IsRoot || part.Value.Length > Layout.MaxInlineBytes))
                    rows += 1 + (part.Value.Length / BytesPerRow);
            }
        }

        Interlocked.Add(ref _written, rows);
        return kills == 0 ? 0 : (RowsOfOldObject * kills) + Interlocked.Exchange(ref _written, 0);
    }
}
