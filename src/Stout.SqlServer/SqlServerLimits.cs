using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>
/// What one batch takes at most. The numbers of rows stay below the 5,000 locks at which SQL Server takes the whole table instead of rows.
/// </summary>
internal static class SqlServerLimits
{
    public const int MaxValueBytes = 16 * 1024 * 1024;
    public const int MaxBatchBytes = 32 * 1024 * 1024;
    public const int MaxChangeSetParts = 2_048;
    public const int MaxBatchKeys = 2_048;
    public const int MaxBatchParts = 2_048;

    public static StorageLimits For(SqlServerOptions options) => new()
    {
        MaxValueBytes = MaxValueBytes,
        MaxChangeSetParts = MaxChangeSetParts,
        MaxChangeSetBytes = MaxBatchBytes,
        MaxBatchKeys = MaxBatchKeys,
        MaxBatchParts = MaxBatchParts,
        MaxBatchBytes = MaxBatchBytes,
        DeletedHeaderRetention = options.DeletedHeaderRetention,
    };
}
