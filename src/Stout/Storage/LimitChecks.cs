namespace Stout.Storage;

/// <summary>Checks batches against the store's limits before a proxy sends them.</summary>
public static class LimitChecks
{
    /// <summary>Resets all outcomes, and refuses each key whose changes are too large. The other keys may be sent.</summary>
    /// <param name="limits">The proxy's limits.</param>
    /// <param name="batch">The batch.</param>
    /// <returns>The number of keys to send.</returns>
    /// <exception cref="StoreException">The remaining batch is too large as a whole.</exception>
    public static int Admit(this StorageLimits limits, WriteBatch batch)
    {
        ArgumentNullException.ThrowIfNull(limits);
        ArgumentNullException.ThrowIfNull(batch);
        var (left, partsLeft, bytesLeft) = (batch.Count, batch.PartCount, batch.Bytes);
        for (var i = 0; i < batch.Count; i++)
        {
            var parts = batch.PartsOf(i);
            var (bytes, tooLarge) = Measure(limits, batch[i].Key, parts);
            batch.SetOutcome(i, tooLarge is null ? default : Refusal(tooLarge));
            if (tooLarge is not null)
                (left, partsLeft, bytesLeft) = (left - 1, partsLeft - parts.Length, bytesLeft - bytes);
        }

        if (left > limits.MaxBatchKeys || partsLeft > limits.MaxBatchParts || bytesLeft > limits.MaxBatchBytes)
            throw new StoreException(StoreErrorKind.Refused, "The batch is larger than the limits of the store allow.");
        return left;
    }

    /// <summary>Resets all outcomes, and refuses a batch with too many keys.</summary>
    /// <exception cref="StoreException">The batch has too many keys.</exception>
    public static void Admit(this StorageLimits limits, ReadBatch batch)
    {
        ArgumentNullException.ThrowIfNull(limits);
        ArgumentNullException.ThrowIfNull(batch);
        if (batch.Count > limits.MaxBatchKeys)
            throw new StoreException(StoreErrorKind.Refused, $"The batch reads {batch.Count} keys; {limits.MaxBatchKeys} are allowed.");
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, default);
    }

    /// <summary>The error of a change that exceeds a limit; null if it keeps all limits.</summary>
    /// <param name="limits">The store's limits.</param>
    /// <param name="key">The key.</param>
    /// <param name="largest">The bytes of the largest part.</param>
    /// <param name="bytes">The bytes of all parts.</param>
    /// <param name="parts">The number of parts.</param>
    internal static ChangeTooLargeException? TooLarge(this StorageLimits limits, PartitionKey key, long largest, long bytes, int parts) =>
        largest > limits.MaxValueBytes ? new(key, largest, limits.MaxValueBytes, ChangeLimit.ValueBytes)
        : bytes > limits.MaxChangeSetBytes ? new(key, bytes, limits.MaxChangeSetBytes, ChangeLimit.ChangeSetBytes)
        : parts > limits.MaxChangeSetParts ? new(key, parts, limits.MaxChangeSetParts, ChangeLimit.ChangeSetParts)
        : null;

    /// <summary>The bytes of a change, and its error if it exceeds a limit.</summary>
    internal static (long Bytes, ChangeTooLargeException? Error) Measure(StorageLimits limits, PartitionKey key, ReadOnlySpan<PartWrite> parts)
    {
        var (bytes, largest) = (0L, 0L);
        foreach (ref readonly var part in parts)
        {
            bytes += part.Value.Length;
            largest = Math.Max(largest, part.Value.Length);
        }

        return (bytes, limits.TooLarge(key, largest, bytes, parts.Length));
    }

    /// <summary>The outcome of a change that exceeds a limit.</summary>
    internal static WriteOutcome Refusal(ChangeTooLargeException error) => WriteOutcome.Of(new StoreException(StoreErrorKind.Refused, error.Message));
}
