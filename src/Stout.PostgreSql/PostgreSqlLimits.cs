using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>
/// The limits of one transaction. They are far below PostgreSQL's own (1 GiB for a parameter): a larger batch would lock rows for longer. The server also
/// holds each value in memory several times.
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
