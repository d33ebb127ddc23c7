using System.Security.Authentication;
using System.Security.Cryptography;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>Classifies errors of PostgreSQL and Npgsql.</summary>
/// <remarks>
/// An ERROR of the server is certain: the transaction is rolled back, and no such error follows after the commit is in the log. A FATAL error or a
/// lost connection is uncertain: a stopping server lets a commit finish, and does not confirm it.
/// </remarks>
internal static class PostgreSqlErrors
{
    /// <summary>Classifies the error of a request that may have been sent. Only the server's own answer is certain; the causes of other errors say nothing.</summary>
    public static StoreException Classify(Exception error) => error switch
    {
        StoreException store => store,
        PostgresException { InvariantSeverity: "FATAL" or "PANIC" } => Unknown(error),
        PostgresException answer => OfAnswer(answer),
        _ => Unknown(error),
    };

    /// <summary>
    /// Classifies the error of a connection over which nothing was sent yet. Npgsql wraps the errors, and collects those of several hosts, so the wrapped
    /// ones decide.
    /// </summary>
    public static StoreException ClassifyConnecting(Exception error) => error switch
    {
        StoreException store => store,
        PostgresException { SqlState: PostgresErrorCodes.ProtocolViolation } pooler when pooler.MessageText.Contains("startup parameter", StringComparison.Ordinal) =>
            OfPooler("does not accept the startup parameter options. Add options to its ignore_startup_parameters", error),
        PostgresException answer => OfAnswer(answer),
        AggregateException hosts => ConnectErrors.Combine(hosts, ClassifyConnecting),
        ObjectDisposedException => Closed(error),
        AuthenticationException or CryptographicException =>
            new(StoreErrorKind.Refused, "The server and this client don't agree on how to connect.", error) { Scope = StoreErrorScope.Partition },
        NpgsqlException { InnerException: { } cause } => ClassifyConnecting(cause),
        _ => new(StoreErrorKind.Unreachable, "The server can't be reached.", error),
    };

    /// <summary>
    /// Whether one key of the request may have caused the error, so that the other keys deserve another attempt. Errors that ended a transaction
    /// qualify, since a trigger can report almost any SQLSTATE. FATAL errors concern a connection. An unreachable server opens the circuit breaker,
    /// and the lane itself halves a request that exceeded a limit.
    /// </summary>
    public static bool MayConcernOneKey(StoreException error) =>
        error.Kind is StoreErrorKind.Busy
        || (error.Kind is not (StoreErrorKind.Unreachable or StoreErrorKind.LimitExceeded) && error.InnerException is PostgresException { InvariantSeverity: "ERROR" });

    /// <summary>The error of a key whose row another transaction has locked.</summary>
    public static StoreException Locked() => new(StoreErrorKind.Busy, "Another transaction has locked the key's row.");

    /// <summary>The error of a key whose rows violate the layout.</summary>
    public static StoreException Undecodable(Exception? cause = null) => new(StoreErrorKind.Corrupt, "The key's rows can't be decoded.", cause);

    /// <summary>The refusal of a pooler that cannot keep the store's promises.</summary>
    /// <param name="what">The pooler's fault, and the remedy.</param>
    /// <param name="cause">The error that showed the fault.</param>
    public static StoreException OfPooler(string what, Exception? cause = null) =>
        new(StoreErrorKind.Refused, $"A pooler before the server {what}.", cause) { Scope = StoreErrorScope.Partition };

    /// <summary>Whether an error tells that another server connection than before has served the client.</summary>
    public static bool IsLostStatement(PostgresException error) =>
        error.SqlState is PostgresErrorCodes.InvalidSqlStatementName or PostgresErrorCodes.DuplicatePreparedStatement;

    /// <summary>The error of a closed store.</summary>
    public static StoreException Closed(Exception? cause = null) => new(StoreErrorKind.Refused, "The store has been closed.", cause);

    /// <summary>Classifies a server error after which the request was certainly not applied.</summary>
    private static StoreException OfAnswer(PostgresException error)
    {
        var (kind, what) = error.SqlState switch
        {
            PostgresErrorCodes.DeadlockDetected => (StoreErrorKind.Busy, "The transaction met others in a deadlock."),
            PostgresErrorCodes.SerializationFailure => (StoreErrorKind.Busy, "The transaction met another one that changed the same rows."),
            PostgresErrorCodes.LockNotAvailable => (StoreErrorKind.Busy, "Another transaction holds the key for too long."),

            // Caused by statement_timeout, or by an administrator.
            PostgresErrorCodes.QueryCanceled => (StoreErrorKind.LimitExceeded, "The server cancelled the request."),
            PostgresErrorCodes.OutOfMemory => (StoreErrorKind.LimitExceeded, "The server lacks the memory for the request."),
            PostgresErrorCodes.TooManyConnections => (StoreErrorKind.Overloaded, "The server has no connection left."),
            PostgresErrorCodes.DiskFull => (StoreErrorKind.Full, "The server's disk is full."),
            PostgresErrorCodes.InsufficientResources or PostgresErrorCodes.ConfigurationLimitExceeded =>
                (StoreErrorKind.Overloaded, "The server lacks the resources."),
            PostgresErrorCodes.ReadOnlySqlTransaction => (StoreErrorKind.Unreachable, "The server only reads: it is a standby, or set to."),
            PostgresErrorCodes.CannotConnectNow or PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown =>
                (StoreErrorKind.Unreachable, "The server is starting, stopping or recovering."),

            // The connection's prepared statements are outdated; a new connection prepares them again.
            PostgresErrorCodes.InvalidSqlStatementName or PostgresErrorCodes.DuplicatePreparedStatement or PostgresErrorCodes.FeatureNotSupported =>
                (StoreErrorKind.Unreachable, "The connection has lost its statements, as behind a pooler in transaction mode."),
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

    /// <summary>The scope of an error: credentials, permissions and missing tables affect every key.</summary>
    private static StoreErrorScope ScopeOf(PostgresException error) => error.SqlState switch
    {
        PostgresErrorCodes.InvalidPassword or PostgresErrorCodes.InvalidAuthorizationSpecification or PostgresErrorCodes.InvalidCatalogName
            or PostgresErrorCodes.InsufficientPrivilege or PostgresErrorCodes.UndefinedTable or PostgresErrorCodes.UndefinedFunction
            or PostgresErrorCodes.InvalidSchemaName or PostgresErrorCodes.UndefinedColumn => StoreErrorScope.Partition,
        _ => StoreErrorScope.Request,
    };

    private static StoreException Unknown(Exception error) => new(StoreErrorKind.Unknown, "The connection was lost before the server answered.", error);
}
