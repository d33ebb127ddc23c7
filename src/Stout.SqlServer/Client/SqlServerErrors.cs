using System.Net.Sockets;
using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>What the exceptions of SqlClient mean.</summary>
internal static class SqlServerErrors
{
    /// <summary>What an exception means that came from a command which had been sent.</summary>
    public static StoreException Classify(Exception error) => error switch
    {
        StoreException store => store,
        SqlException sql => Of(sql, TroubleOf(sql, isConnecting: false)),
        _ => new StoreException(StoreErrorKind.Unknown, "The connection was lost, or the client failed, while a request was under way.", error),
    };

    /// <summary>What an exception means that came from opening a connection: nothing was sent.</summary>
    public static StoreException ClassifyConnecting(Exception error) => error switch
    {
        SqlException sql => Of(sql, TroubleOf(sql, isConnecting: true)),

        // What SqlClient throws when its pool has no connection to give.
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

    /// <summary>What the exception's errors mean together.</summary>
    public static SqlTrouble TroubleOf(SqlException exception, bool isConnecting) => SqlTrouble.Of(
        [exception.Number, .. exception.Errors.Cast<SqlError>().Select(error => error.Number)],
        isConnecting,
        isAnswer: exception is { Number: > 0, Class: >= 11 and <= 16 });

    /// <summary>What an error means that one key of the request may have caused.</summary>
    public static KeyTrouble OfKey(SqlException error, in SqlTrouble trouble) => new(Of(error, trouble), trouble.IsCertain);

    // The server's own text can quote a key or a value (of 2627, say): the number has to be enough.
    private static StoreException Of(SqlException error, in SqlTrouble trouble) =>
        new(trouble.Kind, SqlTrouble.AdviceOf(error.Number) + FormattableString.Invariant($"SQL Server's error {error.Number}, class {error.Class}, state {error.State}."))
        {
            RetryAfter = trouble.RetryAfter,

            // Credentials, permissions and missing tables stop every key.
            Scope = !trouble.OfKey && trouble.Kind is StoreErrorKind.Refused or StoreErrorKind.LayoutMismatch ? StoreErrorScope.Partition : StoreErrorScope.Request,
        };
}
