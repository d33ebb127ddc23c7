using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>A validated header row. A row that this library would not write is damaged, and only its key fails.</summary>
/// <param name="Stamp">The stamp.</param>
/// <param name="Lives">Whether the object exists.</param>
/// <param name="Root">The place of the object's own value.</param>
/// <param name="HasRows">Whether the key has ever had part rows.</param>
internal readonly record struct StoredHeader(Stamp Stamp, bool Lives, RootPlace Root, bool HasRows)
{
    /// <summary>The columns of a header <c>h</c>, for a SELECT.</summary>
    public const string Columns = "h.stamp, h.epoch, h.generation, h.deleted_at, h.root, h.has_rows";

    /// <summary>NULLs with the types of <see cref="Columns"/>, for a SELECT without a header.</summary>
    public const string NoColumns =
        "CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS int), CAST(NULL AS int)";

    /// <summary>The number of columns.</summary>
    public const int ColumnCount = 6;

    /// <summary>
    /// A condition that the columns of a header <c>h</c> are valid which a merge keeps. A merge into a damaged header would be acknowledged and then
    /// unreadable.
    /// </summary>
    public const string TakesMerge = "h.has_rows IN (0, 1) AND h.root IN (0, 1, 2) AND DATALENGTH(h.generation) = 32";

    /// <summary>Reads a header.</summary>
    /// <param name="row">A row with <see cref="Columns"/>.</param>
    /// <param name="first">The index of the first of them.</param>
    /// <returns>The header; null if it is damaged.</returns>
    public static StoredHeader? Read(SqlDataReader row, int first)
    {
        // Columns are read in their order, as sequential access requires.
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
