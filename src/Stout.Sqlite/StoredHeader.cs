using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite;

/// <summary>
/// A header row whose columns have been checked. SQLite stores values of any type in any column, so a damaged or foreign file may contain any values. A row
/// that this library would not write counts as damaged, and only its key fails.
/// </summary>
/// <param name="Key">Version and owner.</param>
/// <param name="Generation">The stamp of the write that made the present generation's first part row. Absent if this generation has had no part rows.</param>
/// <param name="Root">Where the object's own bytes are.</param>
/// <param name="IsDeleted">Whether there is no object: it was deleted, or never written.</param>
internal readonly record struct StoredHeader(KeyHeader Key, Stamp Generation, RootPlace Root, bool IsDeleted)
{
    /// <summary>Whether the present generation has had rows in the table of parts.</summary>
    public bool HasRows => !Generation.IsAbsent;

    /// <summary>The columns with which a SELECT for <see cref="Read"/> must begin. SQLite tells the type of <c>value</c> without reading its bytes.</summary>
    public const string Columns = "stamp, generation, root, has_rows, deleted_at, typeof(value) = 'blob', value IS NULL, owner";

    /// <summary>The number of <see cref="Columns"/>: where a SELECT's own columns begin.</summary>
    public const int ColumnCount = 8;

    /// <summary>
    /// The SQL condition that <c>has_rows</c> and <c>generation</c> of a header are valid. A write of the own value checks this condition, since the write
    /// leaves both columns unchanged. SQLite sorts a BLOB after any number or text, so the lower bound accepts only a BLOB. The first bit of a stamp is its
    /// epoch's sign, so the upper bound excludes negative epochs.
    /// </summary>
    public const string KeepsSound =
        "iif(has_rows = 0, generation IS NULL, has_rows = 1 AND generation > x'0000000000000000000000000000000000000000000000000000000000000000' AND generation < x'80' AND length(generation) = 32)";

    /// <exception cref="SqliteFailure">The row is damaged.</exception>
    public static StoredHeader Read(Statement row)
    {
        var version = row.IsNull(0) ? default : row.Stamp(0);
        var generation = row.IsNull(1) ? default : row.Stamp(1);
        var header = new StoredHeader(new KeyHeader(version, row.Owner(7)), generation, row.Root(2), row.Time(4) is not null);
        if (row.Flag(3) != header.HasRows)
            throw SqliteFailure.DamagedRow("the generation of its rows is missing, or there are no rows");
        if (version.IsAbsent && (header.Key == default || !header.IsDeleted || header.HasRows))
            throw SqliteFailure.DamagedRow("a key that was never written has no owner, or an object");
        if (header.Root == RootPlace.Inline ? row.Integer(5) == 0 : row.Integer(6) == 0)
            throw SqliteFailure.DamagedRow("the object's own bytes are not where the header says");
        if (header.Root == RootPlace.Row && !header.HasRows)
            throw SqliteFailure.DamagedRow("the object's own bytes are a row, and there are none");
        return header.IsDeleted && header.Root != RootPlace.None ? throw SqliteFailure.DamagedRow("a deleted object has bytes") : header;
    }
}
