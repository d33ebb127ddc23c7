using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>The limits of one store partition.</summary>
internal static class AzureTablesLimits
{
    /// <summary>The most bytes of a value: 15 properties of 64 KiB. An entity is limited to 1 MiB, including its keys and property names.</summary>
    public const int MaxValueBytes = 15 * RowValue.PieceBytes;

    /// <summary>
    /// The most bytes of a value on the emulator: 11 properties of 64 KiB. The emulator limits an entity's JSON to 1 MiB, in which a byte of a value takes
    /// 4/3 bytes.
    /// </summary>
    public const int MaxEmulatorValueBytes = 11 * RowValue.PieceBytes;

    /// <summary>The most parts of one write. The other two entities of its transaction are the header and a note for the sweeper.</summary>
    public const int MaxChangeSetParts = TransactionBody.MaxEntities - 2;

    /// <summary>The most bytes of one write. In base64, and with the longest escaped addresses, they stay below a transaction's 4 MiB.</summary>
    public const int MaxChangeSetBytes = 2_560 << 10;

    /// <summary>The most keys of a batch. So many objects fit into one transaction if they have no parts.</summary>
    private const int MaxBatchKeys = TransactionBody.MaxEntities;

    private const int MaxBatchParts = 1_000;

    private const int MaxBatchBytes = 16 << 20;

    public static StorageLimits For(AzureTablesOptions options, bool isEmulator) => new()
    {
        MaxValueBytes = isEmulator ? MaxEmulatorValueBytes : MaxValueBytes,
        MaxChangeSetParts = MaxChangeSetParts,
        MaxChangeSetBytes = MaxChangeSetBytes,
        MaxBatchKeys = MaxBatchKeys,
        MaxBatchParts = MaxBatchParts,
        MaxBatchBytes = MaxBatchBytes,
        DeletedHeaderRetention = options.Sweeping.Retention,
    };
}
