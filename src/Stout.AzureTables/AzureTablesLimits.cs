using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>The limits of one store partition.</summary>
internal static class AzureTablesLimits
{
    /// <summary>15 properties of 64 KiB: an entity is limited to 1 MiB, including its keys and property names.</summary>
    public const int MaxValueBytes = 15 * RowValue.PieceBytes;

    /// <summary>11 properties: the emulator limits an entity's JSON to 1 MiB, in which a byte of a value takes 4/3 bytes.</summary>
    public const int MaxEmulatorValueBytes = 11 * RowValue.PieceBytes;

    /// <summary>The other two entities of one transaction are the header and a note for the sweeper.</summary>
    public const int MaxChangeSetParts = TransactionBody.MaxEntities - 2;

    /// <summary>In base64, and with the longest escaped addresses, this stays below a transaction's 4 MiB.</summary>
    public const int MaxChangeSetBytes = 2_560 << 10;

    /// <summary>As many objects without parts fit into one transaction.</summary>
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
