using System.Security.Authentication;
using System.Security.Cryptography;
using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>Classifies SqlClient's exceptions.</summary>
internal static class SqlServerErrors
{
    /// <summary>Classifies an exception of a command that was sent.</summary>
    public static StoreException Classify(Exception error) => error switch
    {
        StoreException store => store,
        SqlException sql => Of(sql, TroubleOf(sql, isConnecting: false)),
        _ => new StoreException(StoreErrorKind.Unknown, "The connection was lost, or the client failed, while a request was under way.", error),
    };

    /// <summary>Classifies an exception of opening a connection: nothing was sent. The cause in a wrapper decides.</summary>
    public static StoreException ClassifyConnecting(Exception error) => error switch
    {
        StoreException store => store,
        SqlException sql => Of(sql, TroubleOf(sql, isConnecting: true)),
        AggregateException attempts => ConnectErrors.Combine(attempts, ClassifyConnecting),
        NotSupportedException => new StoreException(
            StoreErrorKind.Refused, "SqlClient does not work in this process. In globalization-invariant mode it never does.", error)
        {
            Scope = StoreErrorScope.Partition,
        },
        ArgumentException => new StoreException(
            StoreErrorKind.Refused,
            "SqlClient has no provider for the connection string's Authentication. Entra ID needs the package Microsoft.Data.SqlClient.Extensions.Azure.",
            error)
        {
            Scope = StoreErrorScope.Partition,
        },
        AuthenticationException or CryptographicException =>
            new StoreException(StoreErrorKind.Refused, "The server and this client don't agree on how to connect.", error) { Scope = StoreErrorScope.Partition },
        { InnerException: { } cause } => ClassifyConnecting(cause),

        // SqlClient's exception for an exhausted pool.
        InvalidOperationException => new StoreException(StoreErrorKind.Overloaded, "The pool had no connection to give in time.", error),
        _ => new StoreException(StoreErrorKind.Unreachable, "The server could not be reached.", error),
    };

    /// <summary>The error of a repeated request that found no connection, after an attempt that may have been applied.</summary>
    public static StoreException AfterUncertainAttempt(StoreException connecting) =>
        new(StoreErrorKind.Unknown, "The server could not be reached after an attempt of unknown outcome.", connecting);

    /// <summary>The combined meaning of an exception's errors.</summary>
    public static SqlTrouble TroubleOf(SqlException exception, bool isConnecting) => SqlTrouble.Of(
        [exception.Number, .. exception.Errors.Cast<SqlError>().Select(error => error.Number)],
        isConnecting,
        SqlTrouble.IsAnswer(exception.Number, exception.Class));

    /// <summary>Classifies an error that one key of the request may have caused.</summary>
    public static KeyTrouble OfKey(SqlException error, in SqlTrouble trouble) => new(Of(error, trouble), trouble.IsCertain);

    // The server's text may quote a key or a value (as 2627 does), so only the number is used.
    private static StoreException Of(SqlException error, in SqlTrouble trouble) =>
        new(trouble.Kind, SqlTrouble.AdviceOf(error.Number) + FormattableString.Invariant($"SQL Server's error {error.Number}, class {error.Class}, state {error.State}."))
        {
            RetryAfter = trouble.RetryAfter,
            Scope = trouble.Scope,
        };
}
