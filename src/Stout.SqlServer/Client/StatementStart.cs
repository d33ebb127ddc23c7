using System.Globalization;

namespace Stout.SqlServer.Client;

/// <summary>The settings at the start of every statement text.</summary>
internal static class StatementStart
{
    /// <summary>
    /// Any error rolls the whole transaction back, and waits for locks are bounded. After LOCK_TIMEOUT a request has certainly changed nothing, and
    /// other keys of the lane continue. Each text sets these options again, since a pooled connection may have other settings.
    /// </summary>
    /// <param name="locks">The longest wait of the statement for each lock.</param>
    /// <param name="timeout">The time of <see cref="LockWait.Short"/>.</param>
    public static string With(LockWait locks, TimeSpan timeout) => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        SET NOCOUNT, XACT_ABORT ON;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SET LOCK_TIMEOUT {(locks == LockWait.Short ? (long)timeout.TotalMilliseconds : 0)};

        """);
}
