using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>A header row, checked: one that this library would not write is damaged, and so is its key alone.</summary>
/// <param name="Stamp">The stamp.</param>
/// <param name="Lives">Whether the object exists.</param>
/// <param name="Root">Where the object's own bytes are.</param>
/// <param name="HasRows">Whether the key has had rows of parts.</param>
internal readonly record struct StoredHeader(Stamp Stamp, bool Lives, RootPlace Root, bool HasRows)
{
    /// <summary>The columns of a header <c>h</c>, for a SELECT that has them together.</summary>
    public const string Columns = "h.stamp, h.epoch, h.generation, h.deleted_at, h.root, h.has_rows";

    /// <summary>Types for the columns of <see cref="Columns"/>, for a SELECT that has no header.</summary>
    public const string NoColumns =
        "CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS int), CAST(NULL AS int)";

    /// <summary>The number of columns.</summary>
    public const int ColumnCount = 6;

    /// <summary>
    /// Holds of a header <c>h</c> whose columns are sound that a merge keeps. A merge into another one would be acknowledged and could not be read.
    /// </summary>
    public const string TakesMerge = "h.has_rows IN (0, 1) AND h.root IN (0, 1, 2) AND DATALENGTH(h.generation) = 32";

    /// <summary>Reads a header.</summary>
    /// <param name="row">A row that has <see cref="Columns"/>.</param>
    /// <param name="first">The place of the first of them.</param>
    /// <returns>The header; null if it is damaged.</returns>
    public static StoredHeader? Read(SqlDataReader row, int first)
    {
        // In their order, as a reader of large values gives them.
        var isStamp = Stamp.TryRead(Bytes(row, first), out var stamp);
        var epoch = row.IsDBNull(first + 1) ? -1 : row.GetInt64(first + 1);
        var isGeneration = Stamp.TryRead(Bytes(row, first + 2), out _);
        long? deletedAt = row.IsDBNull(first + 3) ? null : row.GetInt64(first + 3);
        var root = row.IsDBNull(first + 4) ? -1 : row.GetInt32(first + 4);
        var hasRows = row.IsDBNull(first + 5) ? -1 : row.GetInt32(first + 5);
        var isSound = isStamp && isGeneration && epoch == stamp.Epoch && deletedAt is (null or >= 0) && hasRows is (0 or 1) && (RootPlace)root switch
        {
            RootPlace.None => true,
            RootPlace.Inline => deletedAt is null,
            RootPlace.Row => deletedAt is null && hasRows == 1,
            _ => false,
        };
        return isSound ? new StoredHeader(stamp, deletedAt is null, (RootPlace)root, hasRows == 1) : null;
    }

    private static byte[]? Bytes(SqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetFieldValue<byte[]>(column);
}
