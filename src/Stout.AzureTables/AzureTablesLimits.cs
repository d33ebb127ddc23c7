using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>What one partition takes at once.</summary>
internal static class AzureTablesLimits
{
    /// <summary>15 properties of 64 KiB: an entity ends at 1 MiB with its keys and the names of its properties.</summary>
    public const int MaxValueBytes = 15 * RowValue.PieceBytes;

    /// <summary>11 properties: the emulator compares an entity's JSON with 1 MiB, where a byte of a value takes 4/3.</summary>
    public const int MaxEmulatorValueBytes = 11 * RowValue.PieceBytes;

    /// <summary>One transaction has room for the header, for a note of what is garbage, and for as many parts.</summary>
    public const int MaxChangeSetParts = TransactionBody.MaxEntities - 2;

    /// <summary>In base64, and with the longest keys in addresses whose every byte is escaped, it stays below a transaction's 4 MiB.</summary>
    public const int MaxChangeSetBytes = 2_560 << 10;

    /// <summary>As many as one transaction takes, if they are objects without parts.</summary>
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
