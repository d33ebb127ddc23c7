using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// Detects commits that a synchronous standby has not confirmed. If the server's wait for the standby is cancelled, the commit succeeds with only a
/// warning.
/// </summary>
internal sealed class ReplicationWatch
{
    private bool _wasCutShort;

    public ReplicationWatch(NpgsqlConnection connection) =>
        connection.Notice += (_, e) => _wasCutShort |= e.Notice.Routine == "SyncRepWaitForLSN";

    /// <summary>Clears earlier warnings before a request.</summary>
    public void Begin() => _wasCutShort = false;

    /// <summary>Checks for a warning after a confirmed commit.</summary>
    /// <exception cref="StoreException">The outcome is unknown after all. A repeated request waits for the standby again.</exception>
    public void ThrowIfCutShort()
    {
        if (_wasCutShort)
            throw new StoreException(StoreErrorKind.Unknown, "The commit is in the server's log, but was not confirmed by its standby.");
    }
}
