using SQLitePCL;
using Stout.Storage;

namespace Stout.Sqlite.Native;

/// <summary>Classifies SQLite's errors.</summary>
internal static class SqliteErrors
{
    private const string Moved =
        "A file of the database was deleted or replaced while it was open; the store takes no more work until it is opened anew.";

    /// <summary>Classifies the error of a request that was certainly not applied.</summary>
    public static StoreException Classify(SqliteFailure failure) => failure.Primary switch
    {
        raw.SQLITE_FULL => new StoreException(StoreErrorKind.Full, "The database or its disk has no room left.", failure),
        raw.SQLITE_BUSY or raw.SQLITE_LOCKED or raw.SQLITE_PROTOCOL =>
            new StoreException(StoreErrorKind.Overloaded, "Another process is writing to the database.", failure),
        raw.SQLITE_NOMEM => new StoreException(StoreErrorKind.Overloaded, "SQLite could not get the memory that it needs.", failure),
        raw.SQLITE_CORRUPT when failure.IsOfOneRow => new StoreException(StoreErrorKind.Corrupt, "A row of the object is damaged.", failure),
        raw.SQLITE_CORRUPT => new StoreException(StoreErrorKind.Corrupt, "The database file is damaged.", failure),
        raw.SQLITE_NOTADB => new StoreException(StoreErrorKind.LayoutMismatch, "The file is not an SQLite database.", failure),
        _ when failure.HasMoved => new StoreException(StoreErrorKind.LayoutMismatch, Moved, failure),
        raw.SQLITE_READONLY or raw.SQLITE_PERM or raw.SQLITE_CANTOPEN =>
            new StoreException(StoreErrorKind.Refused, "The database file can't be opened for writing.", failure),
        raw.SQLITE_IOERR => new StoreException(
            StoreErrorKind.Refused, "The disk failed; the store takes no more work until it is opened anew.", failure),
        _ => new StoreException(StoreErrorKind.Refused, "SQLite refused the request.", failure),
    };

    /// <summary>Classifies an error that makes the file unusable.</summary>
    public static StoreException ClassifyForGood(SqliteFailure failure)
    {
        var error = Classify(failure);
        return new StoreException(error.Kind, error.Message, failure) { Scope = StoreErrorScope.Client };
    }

    /// <summary>
    /// Classifies the error of a failed commit. A full disk, a busy file or exhausted memory stops a commit before it takes effect. After any other error
    /// the outcome is unknown.
    /// </summary>
    public static StoreException ClassifyCommit(SqliteFailure failure) => failure.Primary switch
    {
        raw.SQLITE_FULL or raw.SQLITE_BUSY or raw.SQLITE_NOMEM => Classify(failure),
        _ when failure.HasMoved => new StoreException(StoreErrorKind.Unknown, Moved, failure),
        _ => new StoreException(
            StoreErrorKind.Unknown, "The disk failed during the commit; the store takes no more work until it is opened anew.", failure),
    };
}
