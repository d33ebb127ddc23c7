using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>The limits of one request: far below SQLite's own, so that one batch cannot occupy a thread for long.</summary>
internal static class SqliteLimits
{
    /// <summary>The bytes of values after which one request reads no further key, to bound its memory. A single object can be larger.</summary>
    public const int MaxReadBytes = 64 << 20;

    public static StorageLimits For(SqliteOptions options) => new()
    {
        MaxValueBytes = 64 << 20,
        MaxChangeSetParts = 65_536,
        MaxChangeSetBytes = 128 << 20,
        MaxBatchKeys = 16_384,
        MaxBatchParts = 131_072,
        MaxBatchBytes = 128 << 20,
        DeletedHeaderRetention = options.Sweeping.Retention,
    };
}
