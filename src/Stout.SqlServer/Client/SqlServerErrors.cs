using System.Net.Sockets;
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

    /// <summary>Classifies an exception of opening a connection: nothing was sent.</summary>
    public static StoreException ClassifyConnecting(Exception error) => error switch
    {
        SqlException sql => Of(sql, TroubleOf(sql, isConnecting: true)),

        // SqlClient's exception for an exhausted pool.
        InvalidOperationException => new StoreException(StoreErrorKind.Overloaded, "The pool had no connection to give in time.", error),
        OperationCanceledException or SocketException or IOException => new StoreException(StoreErrorKind.Unreachable, "The server could not be reached.", error),
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
        _ => new StoreException(StoreErrorKind.Refused, "A connection could not be made.", error),
    };

    /// <summary>The combined meaning of an exception's errors.</summary>
    public static SqlTrouble TroubleOf(SqlException exception, bool isConnecting) => SqlTrouble.Of(
        [exception.Number, .. exception.Errors.Cast<SqlError>().Select(error => error.Number)],
        isConnecting,
        isAnswer: exception is { Number: > 0, Class: >= 11 and <= 16 });

    /// <summary>Classifies an error that one key of the request may have caused.</summary>
    public static KeyTrouble OfKey(SqlException error, in SqlTrouble trouble) => new(Of(error, trouble), trouble.IsCertain);

    // The server's text may quote a key or a value (as 2627 does), so only the number is used.
    private static StoreException Of(SqlException error, in SqlTrouble trouble) =>
        new(trouble.Kind, SqlTrouble.AdviceOf(error.Number) + FormattableString.Invariant($"SQL Server's error {error.Number}, class {error.Class}, state {error.State}."))
        {
            RetryAfter = trouble.RetryAfter,

            // Credentials, permissions and missing tables affect every key.
            Scope = !trouble.OfKey && trouble.Kind is StoreErrorKind.Refused or StoreErrorKind.LayoutMismatch ? StoreErrorScope.Partition : StoreErrorScope.Request,
        };
}
