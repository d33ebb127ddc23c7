using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>The limits of one batch. The rows of a batch need fewer than 5,000 locks, the number at which SQL Server locks the whole table.</summary>
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
