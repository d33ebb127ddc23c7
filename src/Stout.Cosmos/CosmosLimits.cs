using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>The limits of one transactional batch: 100 operations, and a request of 2 MiB with bytes in base64.</summary>
internal static class CosmosLimits
{
    /// <summary>The most operations of one transaction.</summary>
    public const int MaxOperations = 100;

    /// <summary>
    /// The most bytes of values in one transaction. In base64 these are 1,866,668 of the 2,097,152 bytes of a request or an item. The rest holds 100 times
    /// two ids of up to 560 bytes (an operation repeats its item's id), and the partition key. It also holds stamps and generations, long keys, and an own
    /// value of up to 4 KiB that moves from its header to an item.
    /// </summary>
    public const int MaxBytes = 1_400_000;

    /// <summary>The most bytes of long keys in one transaction: 65,536 in base64.</summary>
    public const int MaxLongKeyBytes = 48 << 10;

    /// <summary>The most parts of one write. The transaction also has the header, an own value that leaves the header, and a note for the sweeper.</summary>
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
