using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>The meaning of a numbered error of SQL Server, Azure SQL or SqlClient for a request.</summary>
/// <param name="Kind">The kind of store error.</param>
/// <param name="Repeat">Whether the request lost to another transaction and should be sent again at once.</param>
/// <param name="OfKey">Whether one key of the request may have caused the error. <paramref name="Kind"/> then applies to that key, and the others may
/// pass.</param>
/// <param name="IsCertain">If <paramref name="OfKey"/>, whether the request was certainly not applied.</param>
/// <param name="NeedsNewConnections">Whether the pool's connections lead to the wrong server.</param>
/// <param name="RetryAfter">The delay that the server asked for.</param>
internal readonly record struct SqlTrouble(
    StoreErrorKind Kind, bool Repeat = false, bool OfKey = false, bool IsCertain = true, bool NeedsNewConnections = false, TimeSpan? RetryAfter = null)
{
    /// <summary>The keys that the error affects: credentials, permissions and missing tables affect every key.</summary>
    public StoreErrorScope Scope =>
        !OfKey && Kind is StoreErrorKind.Refused or StoreErrorKind.LayoutMismatch ? StoreErrorScope.Partition : StoreErrorScope.Request;

    /// <summary>Whether the server answered the request itself. Higher severities are failures of the server or of the connection.</summary>
    public static bool IsAnswer(int number, int severity) => number > 0 && severity is >= 11 and <= 16;

    /// <summary>
    /// The combined meaning of errors that came together: that of the first known number. All statements run with XACT_ABORT and commit last, so the server's
    /// own errors roll the transaction back. Unknown numbers usually come from a database's own triggers and constraints. Such an error concerns one key, and
    /// leaves the outcome uncertain.
    /// </summary>
    /// <param name="numbers">The errors' numbers, in the server's order.</param>
    /// <param name="isConnecting">Whether no connection was open yet, so that nothing was sent.</param>
    /// <param name="isAnswer">Whether the server answered the request itself: severity 11 to 16.</param>
    public static SqlTrouble Of(IReadOnlyList<int> numbers, bool isConnecting, bool isAnswer = false)
    {
        SqlTrouble? meaning = null;
        for (var i = 0; i < numbers.Count && meaning is null; i++)
        {
            // Before a connection is open, no error concerns a key.
            if (Meaning(numbers[i]) is { } known && !(isConnecting && known.OfKey))
                meaning = known;
        }

        if (isConnecting)
            return meaning is { Kind: not StoreErrorKind.Unknown } certain ? certain : new(StoreErrorKind.Unreachable);
        return meaning ?? (isAnswer ? new(StoreErrorKind.Refused, OfKey: true, IsCertain: false) : new(StoreErrorKind.Unknown));
    }

    /// <summary>Advice for known errors of logins, permissions and missing objects, with a trailing blank; empty for other numbers.</summary>
    public static string AdviceOf(int number) => number switch
    {
        4060 or 911 => "The database that the connection string names does not exist, or the login may not open it. ",
        916 => "The login has no user in the database that the connection string names. ",
        18452 or 18456 or 18470 or 18486 or 18487 or 18488 => "The server does not accept the login. ",
        229 or 230 or 262 or 297 or 300 or 15247 or 15151 =>
            "The user lacks a permission: CREATE SCHEMA and CREATE TABLE where the schema is to be made, otherwise SELECT, INSERT, UPDATE and DELETE on its tables. ",
        208 or 2812 => "A table of the schema is missing, or the user may not see it. ",
        _ => "",
    };

    private static SqlTrouble? Meaning(int number) => number switch
    {
        // Lost to another transaction: a deadlock, or a conflict of snapshots or memory-optimized tables.
        1205 or 3960 or 3961 or 41301 or 41302 or 41305 or 41325 or 41839 => new(StoreErrorKind.Busy, Repeat: true, OfKey: true),

        // Another transaction has just created the key. If the error recurs, a unique index or a trigger of the database refuses the key.
        2601 or 2627 => new(StoreErrorKind.Refused, Repeat: true, OfKey: true, IsCertain: false),

        // Another transaction held a lock for longer than LOCK_TIMEOUT. Babelfish reports 33557097, its number for all errors without a T-SQL number;
        // the transaction is rolled back.
        1222 or 33557097 => new(StoreErrorKind.Busy, OfKey: true),

        // Azure SQL is busy (40501, with the documented pause of 10 s), or a limit of sessions, workers or operations is reached.
        40501 => new(StoreErrorKind.Overloaded, RetryAfter: TimeSpan.FromSeconds(10)),
        10928 or 10929 or 10936 or 49918 or 49919 or 49920 or 40550 or 40551 or 40552 or 40553 => new(StoreErrorKind.Overloaded),

        // Azure SQL: the database is moving, or its replica lags.
        40613 or 40540 or 4221 => new(StoreErrorKind.Overloaded),

        // The request needs more locks, memory or time than the server grants one request.
        1204 or 701 or 8645 or 8651 or 8628 or 8649 or 10961 => new(StoreErrorKind.LimitExceeded),

        // The server had no buffer, worker or connection in time.
        802 or 17197 or 17809 => new(StoreErrorKind.Overloaded),

        // The client's time limit, and Azure's "the service has encountered an error": the request may have been applied.
        -2 or 40197 or 40143 or 40166 => new(StoreErrorKind.Unknown),

        // A full filegroup, log or version store, or an exceeded Azure quota.
        1101 or 1105 or 9002 or 3958 or 3959 or 3966 or 40544 => new(StoreErrorKind.Full),

        // A read-only replica, or a database that this server does not offer now. New connections may lead to another server.
        3906 or 3908 or 976 or 978 or 979 or 982 or 983 or 988 => new(StoreErrorKind.Unreachable, NeedsNewConnections: true),
        921 or 922 or 923 or 924 or 927 or 942 or 945 or 952 or 17142 or 18401 => new(StoreErrorKind.Unreachable, NeedsNewConnections: true),

        // Credentials, permissions, firewalls.
        18452 or 18456 or 18470 or 18486 or 18487 or 18488 or 4060 or 4064 or 916 or 40532 or 40607 or 40615 or 47073 or 5701 => new(StoreErrorKind.Refused),
        229 or 230 or 262 or 297 or 300 or 15247 or 15151 => new(StoreErrorKind.Refused),

        // A value that a column, a constraint or a view rejects; a trigger that rolled back.
        2628 or 8152 or 8115 or 220 or 515 or 547 or 550 or 3609 or 3616 => new(StoreErrorKind.Refused, OfKey: true),

        // A missing table, column or type.
        207 or 208 or 2715 or 2812 or 4902 => new(StoreErrorKind.LayoutMismatch),

        // Damaged pages; keys on other pages may be readable.
        605 or 823 or 824 or 825 or 829 or 5242 or 5243 or 8646 => new(StoreErrorKind.Corrupt, OfKey: true),
        _ => null,
    };
}
