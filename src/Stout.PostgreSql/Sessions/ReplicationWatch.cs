using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// Notices commits that a standby has not confirmed. Where the server waits for one and that wait is cancelled, the commit ends as a
/// success, and all that tells is a warning.
/// </summary>
internal sealed class ReplicationWatch
{
    private bool _wasCutShort;

    public ReplicationWatch(NpgsqlConnection connection) =>
        connection.Notice += (_, e) => _wasCutShort |= e.Notice.Routine == "SyncRepWaitForLSN";

    /// <summary>Forgets earlier warnings: a request is sent.</summary>
    public void Begin() => _wasCutShort = false;

    /// <summary>Call it when the commit is confirmed.</summary>
    /// <exception cref="StoreException">The outcome is unknown after all. A repetition waits for the standby again.</exception>
    public void ThrowIfCutShort()
    {
        if (_wasCutShort)
            throw new StoreException(StoreErrorKind.Unknown, "The commit is in the server's log, but was not confirmed by its standby.");
    }
}
