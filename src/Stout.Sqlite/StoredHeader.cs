using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// A validated header row. SQLite stores values of any type in any column, and a foreign file may contain any. A row that this library would not
/// write is damaged, and only its key fails.
/// </summary>
/// <param name="Key">Version and owner.</param>
/// <param name="Generation">The stamp of the write that began the object; absent for a key that was claimed and never written.</param>
/// <param name="Root">Where the object's own bytes are.</param>
/// <param name="HasRows">Whether the generation ever had rows.</param>
/// <param name="IsDeleted">Whether there is no object: it was deleted, or never written.</param>
internal readonly record struct StoredHeader(KeyHeader Key, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted)
{
    /// <summary>The columns, for a SELECT that begins with them. The type of the value is told without reading it.</summary>
    public const string Columns = "stamp, generation, root, has_rows, deleted_at, typeof(value) = 'blob', value IS NULL, owner";

    /// <summary>The number of <see cref="Columns"/>: where a SELECT's own columns begin.</summary>
    public const int ColumnCount = 8;

    /// <summary>
    /// A condition that the columns are valid which a write of the object's own value keeps. A BLOB compares greater than any number or text, and the
    /// first bit of a stamp is its epoch's sign.
    /// </summary>
    public const string KeepsSound =
        "generation > x'0000000000000000000000000000000000000000000000000000000000000000' AND generation < x'80' AND length(generation) = 32 AND has_rows IN (0, 1)";

    /// <exception cref="SqliteFailure">The row is damaged.</exception>
    public static StoredHeader Read(Statement row)
    {
        var isWritten = !(row.IsNull(0) && row.IsNull(1));
        var (version, generation) = isWritten ? (row.Stamp(0), row.Stamp(1)) : default;
        var header = new StoredHeader(new KeyHeader(version, row.Owner(7)), generation, row.Root(2), row.Flag(3), row.Time(4) is not null);
        if (!isWritten && (header.Key == default || !header.IsDeleted || header.HasRows))
            throw SqliteFailure.DamagedRow("a key that was never written has no owner, or an object");
        if (header.Root == RootPlace.Inline ? row.Integer(5) == 0 : row.Integer(6) == 0)
            throw SqliteFailure.DamagedRow("the object's own bytes are not where the header says");
        if (header.Root == RootPlace.Row && !header.HasRows)
            throw SqliteFailure.DamagedRow("the object's own bytes are a row, and there are none");
        return header.IsDeleted && header.Root != RootPlace.None ? throw SqliteFailure.DamagedRow("a deleted object has bytes") : header;
    }
}
