namespace Stout.Storage;

/// <summary>The limits of a store's requests. All sizes are in bytes.</summary>
public sealed record StorageLimits
{
    /// <summary>The largest value of one part.</summary>
    public required long MaxValueBytes { get; init; }

    /// <summary>The most parts of one key that can change together.</summary>
    public required int MaxChangeSetParts { get; init; }

    /// <summary>The most bytes of one key's parts that can change together.</summary>
    public required long MaxChangeSetBytes { get; init; }

    /// <summary>The most keys in one batch, of writes or of reads.</summary>
    public required int MaxBatchKeys { get; init; }

    /// <summary>The most parts in one batch, all keys together.</summary>
    public int MaxBatchParts { get; init; } = int.MaxValue;

    /// <summary>The most bytes in one batch, all keys together. At least <see cref="MaxChangeSetBytes"/>.</summary>
    public required long MaxBatchBytes { get; init; }

    /// <summary>
    /// The least time for which the store keeps the header of a key without an object after its deletion or last claim; null: for ever. Handles of such
    /// keys close after half of that time.
    /// </summary>
    public TimeSpan? DeletedHeaderRetention { get; init; }
}
