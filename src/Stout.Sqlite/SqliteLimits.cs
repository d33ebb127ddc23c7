using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// What one transaction takes at most: far below SQLite's own bounds, so that one batch can't hold the writer for long.
/// </summary>
internal static class SqliteLimits
{
    public const int MaxValueBytes = 64 * 1024 * 1024;
    public const int MaxBatchBytes = 128 * 1024 * 1024;
    public const int MaxChangeSetParts = 65_536;
    public const int MaxBatchKeys = 16_384;
    public const int MaxBatchParts = 131_072;

    public static StorageLimits For(SqliteOptions options) => new()
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
