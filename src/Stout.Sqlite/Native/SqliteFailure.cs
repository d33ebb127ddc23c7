using SQLitePCL;
using Stout.Storage;

namespace Stout.Sqlite.Native;

/// <summary>An error of SQLite, or a row that does not have the layout's form.</summary>
internal sealed class SqliteFailure(int code, string message) : Exception($"SQLite error {code}: {message}")
{
    private const string Moved =
        "A file of the database was deleted or replaced while it was open; the store takes no more work until it is opened anew.";

    private bool _isOfOneRow;

    /// <summary>A row does not have the layout's form. The file's structure is whole, so only the row's key fails.</summary>
    public static SqliteFailure DamagedRow(string message) => new(raw.SQLITE_CORRUPT, message) { _isOfOneRow = true };

    /// <summary>A file of the database was deleted or replaced while it was open: a commit would go to a file that nobody finds again.</summary>
    public static SqliteFailure FileMoved() => new(raw.SQLITE_READONLY_DBMOVED, "a file was deleted or replaced while it was open");

    /// <summary>SQLite's extended result code.</summary>
    public int Code { get; } = code;

    /// <summary>SQLite's result code without the extension.</summary>
    public int Primary => Code & 0xFF;

    /// <summary>
    /// Whether nothing more may be done with the file through its open connections. After a failed fsync the system may have
    /// dropped the pages and still report success the next time, so a later commit could be acknowledged without being durable.
    /// Writing to a file with damaged structure could spread the damage.
    /// </summary>
    public bool Poisons => HasMoved || (!_isOfOneRow && (Primary is raw.SQLITE_IOERR or raw.SQLITE_CORRUPT or raw.SQLITE_NOTADB));

    private bool HasMoved => Code == raw.SQLITE_READONLY_DBMOVED;

    /// <summary>What a request that was certainly not applied is told.</summary>
    public StoreException AsNotApplied() => Primary switch
    {
        raw.SQLITE_FULL => new StoreException(StoreErrorKind.Full, "The database or its disk has no room left.", this),
        raw.SQLITE_BUSY or raw.SQLITE_LOCKED or raw.SQLITE_PROTOCOL =>
            new StoreException(StoreErrorKind.Overloaded, "Another process is writing to the database.", this),
        raw.SQLITE_NOMEM => new StoreException(StoreErrorKind.Overloaded, "SQLite could not get the memory that it needs.", this),
        raw.SQLITE_CORRUPT when _isOfOneRow => new StoreException(StoreErrorKind.Corrupt, "A row of the object is damaged.", this),
        raw.SQLITE_CORRUPT => new StoreException(StoreErrorKind.Corrupt, "The database file is damaged.", this),
        raw.SQLITE_NOTADB => new StoreException(StoreErrorKind.Foreign, "The file is not an SQLite database.", this),
        _ when HasMoved => new StoreException(StoreErrorKind.Foreign, Moved, this),
        raw.SQLITE_READONLY or raw.SQLITE_PERM or raw.SQLITE_CANTOPEN =>
            new StoreException(StoreErrorKind.Refused, "The database file can't be opened for writing.", this),
        raw.SQLITE_IOERR => new StoreException(
            StoreErrorKind.Refused, "The disk failed; the store takes no more work until it is opened anew.", this),
        _ => new StoreException(StoreErrorKind.Refused, "SQLite refused the request.", this),
    };

    /// <summary>What every request is told from now on.</summary>
    public StoreException AsPoison()
    {
        var error = AsNotApplied();
        return new StoreException(error.Kind, error.Message, this) { Scope = StoreErrorScope.Client };
    }

    /// <summary>
    /// What a request is told whose commit failed. A full disk or a busy file stops a commit before it takes effect; after any other
    /// error the outcome is unknown.
    /// </summary>
    public StoreException AsCommitFailure() => Primary switch
    {
        raw.SQLITE_FULL or raw.SQLITE_BUSY or raw.SQLITE_NOMEM => AsNotApplied(),
        _ when HasMoved => new StoreException(StoreErrorKind.Unknown, Moved, this),
        _ => new StoreException(
            StoreErrorKind.Unknown, "The disk failed during the commit; the store takes no more work until it is opened anew.", this),
    };
}
