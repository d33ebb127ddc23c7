using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// What one transaction takes at most: far below SQLite's own bounds, so that one batch can't hold the writer for long.
/// </summary>
internal static class SqliteLimits
{
    public static StorageLimits For(SqliteOptions options) => new()
    {
        MaxValueBytes = 64 << 20,
        MaxChangeSetParts = 65_536,
        MaxChangeSetBytes = 128 << 20,
        MaxBatchKeys = 16_384,
        MaxBatchParts = 131_072,
        MaxBatchBytes = 128 << 20,
        DeletedHeaderRetention = options.DeletedHeaderRetention,
    };
}
