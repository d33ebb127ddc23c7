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
            var (bytes, refusal) = Measure(limits, parts);
            batch.SetOutcome(i, refusal is null ? default : WriteOutcome.Of(refusal));
            if (refusal is not null)
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

    private static (long Bytes, StoreException? Refusal) Measure(StorageLimits limits, ReadOnlySpan<PartWrite> parts)
    {
        var (bytes, largest) = (0L, 0L);
        foreach (ref readonly var part in parts)
        {
            bytes += part.Value.Length;
            largest = Math.Max(largest, part.Value.Length);
        }

        var what = largest > limits.MaxValueBytes ? $"a value of {largest} bytes; {limits.MaxValueBytes} are"
            : bytes > limits.MaxChangeSetBytes ? $"{bytes} bytes; {limits.MaxChangeSetBytes} are"
            : parts.Length > limits.MaxChangeSetParts ? $"{parts.Length} parts; {limits.MaxChangeSetParts} are"
            : null;
        return (bytes, what is null ? null : new StoreException(StoreErrorKind.Refused, $"One key's change has {what} allowed."));
    }
}
