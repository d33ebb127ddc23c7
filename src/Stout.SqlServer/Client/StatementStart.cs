using System.Globalization;

namespace Stout.SqlServer.Client;

/// <summary>What every statement begins with.</summary>
internal static class StatementStart
{
    /// <summary>
    /// An error undoes the whole transaction, and nothing waits for another transaction's locks until the client's time limit: a lock wait that
    /// ends by LOCK_TIMEOUT is certain to have changed nothing, and other keys of the lane go on. A pooled connection may have other settings.
    /// </summary>
    /// <param name="locks">How long the statement waits for each lock.</param>
    /// <param name="timeout">What <see cref="LockWait.Short"/> means.</param>
    public static string With(LockWait locks, TimeSpan timeout) => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        SET NOCOUNT, XACT_ABORT ON;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCK_TIMEOUT {(locks == LockWait.Short ? (long)timeout.TotalMilliseconds : 0)};

        """);
}
