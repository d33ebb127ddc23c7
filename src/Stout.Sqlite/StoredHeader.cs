using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// A validated header row. SQLite stores values of any type in any column, and a foreign file may contain any. A row that this library would not
/// write is damaged, and only its key fails.
/// </summary>
internal readonly record struct StoredHeader(Stamp Stamp, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted)
{
    /// <summary>The first columns of a SELECT. The value's type is read without the value.</summary>
    public const string Columns = "stamp, generation, root, has_rows, deleted_at, typeof(value) = 'blob', value IS NULL";

    /// <summary>The number of <see cref="Columns"/>, after which a SELECT's own columns start.</summary>
    public const int ColumnCount = 7;

    /// <summary>
    /// A condition that the columns are valid which a write of the object's own value keeps. A BLOB compares greater than any number or text, and the
    /// first bit of a stamp is its epoch's sign.
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
