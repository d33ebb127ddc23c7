using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>What a numbered error of SQL Server, Azure SQL or their client means for a request.</summary>
/// <param name="Kind">What became of the request.</param>
/// <param name="Repeat">Whether it lost to another transaction and should be sent again at once.</param>
/// <param name="OfKey">
/// Whether one key of the request alone may have caused it: <paramref name="Kind"/> is then what it means for that key, and the others may pass.
/// </param>
/// <param name="IsCertain">Whether the request was certainly not applied, if <paramref name="OfKey"/>.</param>
/// <param name="NeedsNewConnections">Whether the pool's connections lead to the wrong server.</param>
/// <param name="RetryAfter">How long the server asks to be left alone.</param>
internal readonly record struct SqlTrouble(
    StoreErrorKind Kind, bool Repeat = false, bool OfKey = false, bool IsCertain = true, bool NeedsNewConnections = false, TimeSpan? RetryAfter = null)
{
    /// <summary>
    /// What errors that came together mean: the first whose number is known. Every statement of ours runs with XACT_ABORT and commits
    /// last, so errors of the server's own were rolled back. Unknown numbers are mostly those of triggers and constraints that a
    /// database has of its own: they concern a key, but nothing is certain.
    /// </summary>
    /// <param name="numbers">The errors' numbers, in the order in which the server reported them.</param>
    /// <param name="isConnecting">Whether no connection was open yet, so that nothing was sent.</param>
    /// <param name="isAnswer">Whether the server has answered with them because of what it was asked: severity 11 to 16.</param>
    public static SqlTrouble Of(IReadOnlyList<int> numbers, bool isConnecting, bool isAnswer = false)
    {
        SqlTrouble? meaning = null;
        for (var i = 0; i < numbers.Count && meaning is null; i++)
        {
            // A connection that is not open yet concerns no key.
            if (Meaning(numbers[i]) is { } known && !(isConnecting && known.OfKey))
                meaning = known;
        }

        if (isConnecting)
            return meaning is { Kind: not StoreErrorKind.Unknown } certain ? certain : new(StoreErrorKind.Unreachable);
        return meaning ?? (isAnswer ? new(StoreErrorKind.Refused, OfKey: true, IsCertain: false) : new(StoreErrorKind.Unknown));
    }

    /// <summary>What is missing, in words that end in a blank, where a number says it; otherwise nothing.</summary>
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
        // Lost to another transaction: a deadlock, conflicts of snapshots and of memory tables.
        1205 or 3960 or 3961 or 41301 or 41302 or 41305 or 41325 or 41839 => new(StoreErrorKind.Busy, Repeat: true, OfKey: true),

        // Another transaction has just made the key. If it goes on, a unique index or a trigger of the database's own refuses the key.
        2601 or 2627 => new(StoreErrorKind.Refused, Repeat: true, OfKey: true, IsCertain: false),

        // Another transaction held a lock for longer than LOCK_TIMEOUT. Babelfish says 33557097, as it does of all errors that T-SQL has no
        // number for; PostgreSQL has undone the transaction.
        1222 or 33557097 => new(StoreErrorKind.Busy, OfKey: true),

        // Azure SQL: busy, with the pause that its documentation asks for; limits of sessions, workers and operations.
        40501 => new(StoreErrorKind.Overloaded, RetryAfter: TimeSpan.FromSeconds(10)),
        10928 or 10929 or 10936 or 49918 or 49919 or 49920 or 40550 or 40551 or 40552 or 40553 => new(StoreErrorKind.Overloaded),

        // Azure SQL: the database is moving, or its replica is behind.
        40613 or 40540 or 4221 => new(StoreErrorKind.Overloaded),

        // The request needs more locks or memory, or a longer time, than the server grants one request.
        1204 or 701 or 8645 or 8651 or 8628 or 8649 or 10961 => new(StoreErrorKind.LimitExceeded),

        // No buffer, no worker, no connection in time.
        802 or 17197 or 17809 => new(StoreErrorKind.Overloaded),

        // The client's time limit, and Azure's "the service has encountered an error": it may have been applied.
        -2 or 40197 or 40143 or 40166 => new(StoreErrorKind.Unknown),

        // No room: in a filegroup, the log, the version store; over Azure's quota.
        1101 or 1105 or 9002 or 3958 or 3959 or 3966 or 40544 => new(StoreErrorKind.Full),

        // A replica that does not take writes, a database that is not (or no longer) there for us: connect again, elsewhere.
        3906 or 3908 or 976 or 978 or 979 or 982 or 983 or 988 => new(StoreErrorKind.Unreachable, NeedsNewConnections: true),
        921 or 922 or 923 or 924 or 927 or 942 or 945 or 952 or 17142 or 18401 => new(StoreErrorKind.Unreachable, NeedsNewConnections: true),

        // Credentials, permissions, firewalls.
        18452 or 18456 or 18470 or 18486 or 18487 or 18488 or 4060 or 4064 or 916 or 40532 or 40607 or 40615 or 47073 or 5701 => new(StoreErrorKind.Refused),
        229 or 230 or 262 or 297 or 300 or 15247 or 15151 => new(StoreErrorKind.Refused),

        // A value that a column, a constraint or a view does not take; a trigger that rolled back.
        2628 or 8152 or 8115 or 220 or 515 or 547 or 550 or 3609 or 3616 => new(StoreErrorKind.Refused, OfKey: true),

        // A table, column or type that is missing.
        207 or 208 or 2715 or 2812 or 4902 => new(StoreErrorKind.LayoutMismatch),

        // Damaged pages: the keys on other pages may be read.
        605 or 823 or 824 or 825 or 829 or 5242 or 5243 or 8646 => new(StoreErrorKind.Corrupt, OfKey: true),
        _ => null,
    };
}
