using SQLitePCL;

namespace Stout.Sqlite.Native;

/// <summary>An error of SQLite, or a row that violates the layout.</summary>
internal sealed class SqliteFailure(int code, string message) : Exception($"SQLite error {code}: {message}")
{
    /// <summary>An error for a row that violates the layout. The file's structure is intact, so only the row's key fails.</summary>
    public static SqliteFailure DamagedRow(string message) => new(raw.SQLITE_CORRUPT, message) { IsOfOneRow = true };

    /// <summary>An error for a database file that was deleted or replaced while open: a commit would go to a file without a name.</summary>
    public static SqliteFailure FileMoved() => new(raw.SQLITE_READONLY_DBMOVED, "a file was deleted or replaced while it was open");

    /// <summary>SQLite's extended result code.</summary>
    public int Code { get; } = code;

    /// <summary>SQLite's result code without the extension.</summary>
    public int Primary => Code & 0xFF;

    /// <summary>
    /// Whether the file must not be used any more through its open connections. After a failed fsync the system may drop pages and report success for the
    /// next fsync. A later commit could then be acknowledged without being durable. Writing to a damaged structure could spread the damage.
    /// </summary>
    public bool Poisons => HasMoved || (!IsOfOneRow && (Primary is raw.SQLITE_IOERR or raw.SQLITE_CORRUPT or raw.SQLITE_NOTADB));

    /// <summary>Whether only one row is damaged.</summary>
    public bool IsOfOneRow { get; private init; }

    /// <summary>Whether a file was deleted or replaced while it was open.</summary>
    public bool HasMoved => Code == raw.SQLITE_READONLY_DBMOVED;
}
