using System.Net.Sockets;
using System.Security.Authentication;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>What PostgreSQL's and Npgsql's errors mean.</summary>
/// <remarks>
/// An ERROR that the server sends is certain: the transaction is rolled back, and after the commit is in the log no error of that
/// severity can follow, only a crash. A FATAL one is not, nor a lost connection: a server that is told to stop lets a commit
/// finish, and goes without confirming it.
/// </remarks>
internal static class PostgreSqlErrors
{
    /// <summary>The error of a request that may have been sent.</summary>
    public static StoreException Classify(Exception error) => error switch
    {
        StoreException store => store,
        PostgresException { InvariantSeverity: "FATAL" or "PANIC" } => Unknown(error),
        PostgresException answer => OfAnswer(answer),
        ObjectDisposedException => Closed(error),
        _ => Unknown(error),
    };

    /// <summary>The error of a connection over which nothing was sent yet.</summary>
    public static StoreException ClassifyConnecting(Exception error) => error switch
    {
        StoreException store => store,
        PostgresException answer => OfAnswer(answer),
        ObjectDisposedException => Closed(error),
        NpgsqlException { InnerException: not (null or IOException or SocketException or TimeoutException) } or AuthenticationException =>
            new(StoreErrorKind.Refused, "The server and this client don't agree on how to connect.", error) { Scope = StoreErrorScope.Partition },
        _ => new(StoreErrorKind.Unreachable, "The server can't be reached.", error),
    };

    /// <summary>
    /// Whether an error may concern one key of a request, so that the other keys deserve another attempt. A trigger can report almost any
    /// SQLSTATE, so errors that ended a transaction qualify; an error that ended or prevented a connection is FATAL. An unreachable server
    /// opens the circuit, and the lane itself halves a request that exceeded a limit.
    /// </summary>
    public static bool MayConcernOneKey(StoreException error) =>
        error.Kind is StoreErrorKind.Busy
        || (error.Kind is not (StoreErrorKind.Unreachable or StoreErrorKind.LimitExceeded) && error.InnerException is PostgresException { InvariantSeverity: "ERROR" });

    /// <summary>Another transaction holds one key's row.</summary>
    public static StoreException Locked() => new(StoreErrorKind.Busy, "Another transaction has locked the key's row.");

    /// <summary>One key's rows are not as this library writes them.</summary>
    public static StoreException Undecodable(Exception? cause = null) => new(StoreErrorKind.Corrupt, "The key's rows can't be decoded.", cause);

    /// <summary>The store was closed before.</summary>
    public static StoreException Closed(Exception? cause = null) => new(StoreErrorKind.Refused, "The store has been closed.", cause);

    /// <summary>An answer of the server that says with certainty that the request was not applied.</summary>
    private static StoreException OfAnswer(PostgresException error)
    {
        var (kind, what) = error.SqlState switch
        {
            PostgresErrorCodes.DeadlockDetected => (StoreErrorKind.Busy, "The transaction met others in a deadlock."),
            PostgresErrorCodes.SerializationFailure => (StoreErrorKind.Busy, "The transaction met another one that changed the same rows."),
            PostgresErrorCodes.LockNotAvailable => (StoreErrorKind.Busy, "Another transaction holds the key for too long."),

            // The statement_timeout, or an administrator.
            PostgresErrorCodes.QueryCanceled => (StoreErrorKind.LimitExceeded, "The server cancelled the request."),
            PostgresErrorCodes.OutOfMemory => (StoreErrorKind.LimitExceeded, "The server lacks the memory for the request."),
            PostgresErrorCodes.TooManyConnections => (StoreErrorKind.Overloaded, "The server has no connection left."),
            PostgresErrorCodes.DiskFull => (StoreErrorKind.Full, "The server's disk is full."),
            PostgresErrorCodes.InsufficientResources or PostgresErrorCodes.ConfigurationLimitExceeded =>
                (StoreErrorKind.Overloaded, "The server lacks the resources."),
            PostgresErrorCodes.ReadOnlySqlTransaction => (StoreErrorKind.Unreachable, "The server only reads: it is a standby, or set to."),
            PostgresErrorCodes.CannotConnectNow or PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown =>
                (StoreErrorKind.Unreachable, "The server is starting, stopping or recovering."),

            // What this connection has prepared does not fit any more; a new connection prepares it anew.
            PostgresErrorCodes.InvalidSqlStatementName or PostgresErrorCodes.FeatureNotSupported =>
                (StoreErrorKind.Unreachable, "The connection has lost its statements."),
            PostgresErrorCodes.DataCorrupted or PostgresErrorCodes.IndexCorrupted => (StoreErrorKind.Corrupt, "The server says that the data is damaged."),
            PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification =>
                (StoreErrorKind.Refused, "The server does not accept the credentials."),
            PostgresErrorCodes.InvalidCatalogName => (StoreErrorKind.LayoutMismatch, "The database that the connection string names does not exist. Stout makes its schema, and no database."),
            PostgresErrorCodes.InsufficientPrivilege => (StoreErrorKind.Refused, "The user lacks a permission: CREATE on the database where the schema is to be made, otherwise USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on its tables."),
            PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedFunction or PostgresErrorCodes.InvalidSchemaName
                or PostgresErrorCodes.UndefinedColumn => (StoreErrorKind.LayoutMismatch, "The schema, or a part of it, is missing."),
            _ when error.SqlState.StartsWith("08", StringComparison.Ordinal) => (StoreErrorKind.Unreachable, "The connection failed."),
            _ => (StoreErrorKind.Refused, "The server refused the request."),
        };
        return new StoreException(kind, $"{what} (SQLSTATE {error.SqlState})", error) { Scope = ScopeOf(error) };
    }

    /// <summary>What credentials, permissions and missing tables stop, they stop for every key.</summary>
    private static StoreErrorScope ScopeOf(PostgresException error) => error.SqlState switch
    {
        PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification or PostgresErrorCodes.InvalidCatalogName
            or PostgresErrorCodes.InsufficientPrivilege or PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedFunction
            or PostgresErrorCodes.InvalidSchemaName or PostgresErrorCodes.UndefinedColumn => StoreErrorScope.Partition,
        _ => StoreErrorScope.Request,
    };

    private static StoreException Unknown(Exception error) => new(StoreErrorKind.Unknown, "The connection was lost before the server answered.", error);
}
