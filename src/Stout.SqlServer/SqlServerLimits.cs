using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>
/// What one batch takes at most. The numbers of rows stay below the 5,000 locks at which SQL Server takes the whole table instead of rows.
/// </summary>
internal static class SqlServerLimits
{
    public const int MaxValueBytes = 16 * 1024 * 1024;
    public const int MaxBatchBytes = 32 * 1024 * 1024;
    public const int MaxChangeSetParts = 2_048;
    public const int MaxBatchKeys = 2_048;
    public const int MaxBatchParts = 2_048;

    public static StorageLimits For(SqlServerOptions options) => new()
    {
        MaxValueBytes = MaxValueBytes,
        MaxChangeSetParts = MaxChangeSetParts,
        MaxChangeSetBytes = MaxBatchBytes,
        MaxBatchKeys = MaxBatchKeys,
        MaxBatchParts = MaxBatchParts,
        MaxBatchBytes = MaxBatchBytes,
        DeletedHeaderRetention = options.DeletedHeaderRetention,
    };

    /// <summary>Refuses the keys whose changes are too large, before anything is touched.</summary>
    /// <exception cref="StoreException">The batch as a whole is too large.</exception>
    public static void Check(WriteBatch batch)
    {
        var (keys, parts, bytes) = (0, 0, 0L);
        for (var i = 0; i < batch.Count; i++)
        {
            var size = SizeOf(batch.PartsOf(i), out var isTooLarge);
            if (isTooLarge)
            {
                batch.SetOutcome(i, WriteOutcome.Of(new StoreException(StoreErrorKind.Refused, "One key's change is larger than the limits of the store allow.")));
                continue;
            }

            (keys, parts, bytes) = (keys + 1, parts + batch.PartsOf(i).Length, bytes + size);
        }

        if (keys > MaxBatchKeys || parts > MaxBatchParts || bytes > MaxBatchBytes)
            throw new StoreException(StoreErrorKind.Refused, "The batch is larger than the limits of the store allow.");
    }

    /// <exception cref="StoreException">The batch has too many keys.</exception>
    public static void Check(ReadBatch batch)
    {
        if (batch.Count > MaxBatchKeys)
            throw new StoreException(StoreErrorKind.Refused, $"The batch reads {batch.Count} keys; {MaxBatchKeys} are allowed.");
    }

    private static long SizeOf(ReadOnlySpan<PartWrite> parts, out bool isTooLarge)
    {
        var (bytes, largest) = (0L, 0);
        foreach (ref readonly var part in parts)
        {
            bytes += part.Value.Length;
            largest = Math.Max(largest, part.Value.Length);
        }

        isTooLarge = largest > MaxValueBytes || bytes > MaxBatchBytes || parts.Length > MaxChangeSetParts;
        return bytes;
    }
}
