using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>
/// What one transaction takes at most: far below PostgreSQL's own bounds (1 GiB for a parameter), so that one batch can't hold its rows
/// for long. The server has each value in memory several times.
/// </summary>
internal static class PostgreSqlLimits
{
    public static StorageLimits For(PostgreSqlOptions options) => new()
    {
        MaxValueBytes = 16 << 20,
        MaxChangeSetParts = 16_384,
        MaxChangeSetBytes = 32 << 20,
        MaxBatchKeys = 8_192,
        MaxBatchParts = 32_768,
        MaxBatchBytes = 32 << 20,
        DeletedHeaderRetention = options.Sweeping.Retention,
    };
}
