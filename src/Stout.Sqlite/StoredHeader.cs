using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// A header row, checked. SQLite keeps a value of any type in any column, and a file from outside may hold any: a row that this library would not
/// write is damaged, and so is its key alone.
/// </summary>
internal readonly record struct StoredHeader(Stamp Stamp, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted)
{
    /// <summary>The columns, for a SELECT that begins with them. The type of the value is told without reading it.</summary>
    public const string Columns = "stamp, generation, root, has_rows, deleted_at, typeof(value) = 'blob', value IS NULL";

    /// <summary>The number of <see cref="Columns"/>: where a SELECT's own columns begin.</summary>
    public const int ColumnCount = 7;

    /// <summary>
    /// Holds where the columns are sound that a write of the object's own bytes keeps. A BLOB is greater than any number or text, and the first bit of
    /// a stamp is its epoch's sign.
    /// </summary>
    public const string KeepsSound =
        "generation > x'0000000000000000000000000000000000000000000000000000000000000000' AND generation < x'80' AND length(generation) = 32 AND has_rows IN (0, 1)";

    /// <exception cref="SqliteFailure">The row is damaged.</exception>
    public static StoredHeader Read(Statement row)
    {
        var header = new StoredHeader(row.Stamp(0), row.Stamp(1), row.Root(2), row.Flag(3), row.Time(4) is not null);
        if (header.Root == RootPlace.Inline ? row.Integer(5) == 0 : row.Integer(6) == 0)
            throw SqliteFailure.DamagedRow("the object's own bytes are not where the header says");
        if (header.Root == RootPlace.Row && !header.HasRows)
            throw SqliteFailure.DamagedRow("the object's own bytes are a row, and there are none");
        return header.IsDeleted && header.Root != RootPlace.None ? throw SqliteFailure.DamagedRow("a deleted object has bytes") : header;
    }
}
