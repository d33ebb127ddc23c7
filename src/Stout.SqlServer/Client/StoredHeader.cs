using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>A validated header row. A row that this library would not write is damaged, and only its key fails.</summary>
/// <param name="Key">Version and owner.</param>
/// <param name="Lives">Whether the object exists.</param>
/// <param name="Root">The place of the object's own value.</param>
/// <param name="HasRows">Whether the key has ever had part rows.</param>
internal readonly record struct StoredHeader(KeyHeader Key, bool Lives, RootPlace Root, bool HasRows)
{
    /// <summary>The columns of a header <c>h</c> that contain its version and owner.</summary>
    public const string KeyColumns = "h.stamp, h.epoch, h.claim";

    /// <summary>The columns of a header <c>h</c>, for a SELECT.</summary>
    public const string Columns = KeyColumns + ", h.generation, h.deleted_at, h.root, h.has_rows";

    /// <summary>NULLs with the types of <see cref="Columns"/>, for a SELECT without a header.</summary>
    public const string NoColumns =
        "CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS varbinary(16)), CAST(NULL AS varbinary(32)), CAST(NULL AS bigint), CAST(NULL AS int), CAST(NULL AS int)";

    /// <summary>The number of columns.</summary>
    public const int ColumnCount = 7;

    /// <summary>
    /// The condition that a header <c>h</c> is valid in the columns that a merge keeps. Without it a merge into a damaged header would be acknowledged, and
    /// the key would then be unreadable.
    /// </summary>
    public const string TakesMerge = "h.has_rows IN (0, 1) AND h.root IN (0, 1, 2) AND DATALENGTH(h.generation) = 32";

    /// <summary>Reads a header.</summary>
    /// <param name="row">A row with <see cref="Columns"/>.</param>
    /// <param name="first">The index of the first of these columns.</param>
    /// <returns>The header; null if it is damaged.</returns>
    public static StoredHeader? Read(SqlDataReader row, int first)
    {
        // Columns are read in their order, as sequential access requires.
        var key = ReadKey(row, first);
        var generation = Bytes(row, first + 3);
        long? deletedAt = row.IsDBNull(first + 4) ? null : row.GetInt64(first + 4);
        var root = row.IsDBNull(first + 5) ? -1 : row.GetInt32(first + 5);
        var hasRows = row.IsDBNull(first + 6) ? -1 : row.GetInt32(first + 6);
        if (key is not { } header)
            return null;
        var isWritten = !header.Version.IsAbsent && Stamp.TryRead(generation, out _);
        var isClaimedOnly = header.Version.IsAbsent && deletedAt is not null && root == (int)RootPlace.None && hasRows == 0;
        var isSound = (isWritten || isClaimedOnly) && deletedAt is (null or >= 0) && hasRows is (0 or 1) && (RootPlace)root switch
        {
            RootPlace.None => true,
            RootPlace.Inline => deletedAt is null,
            RootPlace.Row => deletedAt is null && hasRows == 1,
            _ => false,
        };
        return isSound ? new StoredHeader(header, deletedAt is null, (RootPlace)root, hasRows == 1) : null;
    }

    /// <summary>Reads version and owner.</summary>
    /// <param name="row">A row that has <see cref="KeyColumns"/>.</param>
    /// <param name="first">The index of the first of these columns.</param>
    /// <returns>Version and owner; null if they are damaged.</returns>
    public static KeyHeader? ReadKey(SqlDataReader row, int first)
    {
        var stamp = Bytes(row, first);
        var epoch = row.IsDBNull(first + 1) ? -1 : row.GetInt64(first + 1);
        if (Bytes(row, first + 2) is not { Length: StoredOwner.ClaimBytes } claim)
            return null;
        var owner = new KeyOwner(epoch, new Guid(claim, bigEndian: true));
        var isWritten = Stamp.TryRead(stamp, out var version);
        var isClaimedOnly = owner.Epoch > 0 && stamp is { Length: Stamp.Bytes } && !stamp.AsSpan().ContainsAnyExcept((byte)0);
        return (isWritten || isClaimedOnly) && (owner.Epoch > 0 || owner == KeyOwner.None) ? new KeyHeader(version, owner) : null;
    }

    private static byte[]? Bytes(SqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetFieldValue<byte[]>(column);
}
