using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>
/// What one batch takes at most. The numbers of rows stay below the 5,000 locks at which SQL Server takes the whole table instead of rows.
/// </summary>
internal static class SqlServerLimits
{
    public static StorageLimits For(SqlServerOptions options) => new()
    {
        MaxValueBytes = 16 << 20,
        MaxChangeSetParts = 2_048,
        MaxChangeSetBytes = 32 << 20,
        MaxBatchKeys = 2_048,
        MaxBatchParts = 2_048,
        MaxBatchBytes = 32 << 20,
        DeletedHeaderRetention = options.Sweeping.Retention,
    };
}
