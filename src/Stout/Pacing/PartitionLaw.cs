using Stout.Storage;

namespace Stout.Pacing;

/// <summary>
/// The default law of a store that one process has alone: no interval, and as many requests in flight as the partition prefers. Requests are equal, so
/// that the callers of one make their next changes while the store writes another.
/// </summary>
internal sealed class PartitionLaw(IStorePartition partition) : IPacingLaw
{
    /// <inheritdoc/>
    public TimeSpan Interval => TimeSpan.Zero;

    /// <inheritdoc/>
    public int MaxInFlight { get; private set; } = partition.PreferredInFlight;

    /// <inheritdoc/>
    public int MaxBatchKeys => int.MaxValue;

    /// <inheritdoc/>
    public bool EqualBatches => true;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request) => MaxInFlight = partition.PreferredInFlight;
}
