using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>What one transactional batch takes: 100 operations and a request of 2 MiB, in which bytes are base64.</summary>
internal static class CosmosLimits
{
    /// <summary>The most operations of one transaction.</summary>
    public const int MaxOperations = 100;

    /// <summary>
    /// As base64 1,866,668 of the 2,097,152 bytes of a request, or of an item. The rest is for 100 times two ids (up to 558 bytes each; an
    /// operation repeats its item's), the partition key, stamp and generation, and for an object of 4 KiB that has to leave its header.
    /// </summary>
    public const int MaxBytes = 1_400_000;

    /// <summary>A transaction also holds the header, the object's own bytes where they leave the header, and a note for the sweeper.</summary>
    public const int MaxParts = MaxOperations - 3;

    public static StorageLimits For(CosmosOptions options) => new()
    {
        MaxValueBytes = MaxBytes,
        MaxChangeSetParts = MaxParts,
        MaxChangeSetBytes = MaxBytes,
        MaxBatchKeys = MaxOperations,
        MaxBatchParts = MaxOperations,
        MaxBatchBytes = MaxBytes,
        DeletedHeaderRetention = options.Sweeping.Retention,
    };
}
