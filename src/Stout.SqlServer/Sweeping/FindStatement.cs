using Stout.SqlServer.Client;

namespace Stout.SqlServer.Sweeping;

/// <summary>Finds keys with dead rows (rows that no reader can reach) and expired headers, for the sweeper.</summary>
/// <remarks>
/// The statement reads uncommitted rows, so other transactions' locks do not stop it. <see cref="RemoveStatement"/> therefore checks the keys again with
/// locked headers.
/// </remarks>
internal sealed class FindStatement(string schema, TimeSpan lockTimeout)
{
    public const string Keys = "@keys";
    public const string After = "@after";
    public const string Before = "@before";

    /// <summary>Returns keys that may have dead rows, in order, then the keys, stamps and owners of expired headers without an object.</summary>
    public string Text { get; } = Layout.In(schema, StatementStart.With(LockWait.Short, lockTimeout) + """
        SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
        SELECT TOP (@keys) [key] FROM [stout].[garbage] WHERE [key] > @after ORDER BY [key];
        SELECT TOP (@keys) h.[key], h.stamp, h.epoch, h.claim
        FROM [stout].[header] h
        WHERE h.deleted_at BETWEEN 0 AND @before
            AND NOT EXISTS (SELECT 1 FROM [stout].[part] p WHERE p.[key] = h.[key])
            AND NOT EXISTS (SELECT 1 FROM [stout].[garbage] g WHERE g.[key] = h.[key])
        ORDER BY h.deleted_at;
        """);
}
