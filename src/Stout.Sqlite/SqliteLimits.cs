using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// What one transaction takes at most: far below SQLite's own bounds, so that one batch can't hold the writer for long.
/// </summary>
internal static class SqliteLimits
{
    public const int MaxValueBytes = 64 * 1024 * 1024;
    public const int MaxBatchBytes = 128 * 1024 * 1024;
    public const int MaxChangeSetParts = 65_536;
    public const int MaxBatchKeys = 16_384;
    public const int MaxBatchParts = 131_072;

    public static StorageLimits For(SqliteOptions options) => new()
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
        var oversized = 0L;
        for (var i = 0; i < batch.Count; i++)
            oversized += CheckKey(batch, i);
        if (batch.Count > MaxBatchKeys || batch.PartCount > MaxBatchParts || batch.Bytes - oversized > MaxBatchBytes)
            throw new StoreException(StoreErrorKind.Refused, "The batch is larger than the limits of the store allow.");
    }

    public static void Check(ReadBatch batch)
    {
        if (batch.Count > MaxBatchKeys)
            throw new StoreException(StoreErrorKind.Refused, $"The batch reads {batch.Count} keys; {MaxBatchKeys} are allowed.");
    }

    private static long CheckKey(WriteBatch batch, int index)
    {
        var parts = batch.PartsOf(index);
        var (bytes, largest) = (0L, 0L);
        foreach (ref readonly var part in parts)
        {
            bytes += part.Value.Length;
            largest = Math.Max(largest, part.Value.Length);
        }

        if (largest <= MaxValueBytes && bytes <= MaxBatchBytes && parts.Length <= MaxChangeSetParts)
            return 0;
        var what = largest > MaxValueBytes ? $"a value of {largest} bytes; {MaxValueBytes} are"
            : bytes > MaxBatchBytes ? $"{bytes} bytes; {MaxBatchBytes} are"
            : $"{parts.Length} parts; {MaxChangeSetParts} are";
        batch.SetOutcome(index, WriteOutcome.Of(new StoreException(StoreErrorKind.Refused, $"One key's change has {what} allowed.")));
        return bytes;
    }
}
