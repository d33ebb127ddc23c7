using Npgsql;

namespace Stout.PostgreSql.Sweeping;

/// <summary>Reads the age of the oldest transaction that keeps the space of removed rows in use.</summary>
internal sealed class SnapshotCommand(NpgsqlConnection connection) : IDisposable
{
    // A transaction that has written holds back every database of the server, since it is in each new snapshot; one that reads, its own alone. Vacuum does
    // not hold back itself. The server hides the times of other users' transactions from a role without pg_read_all_stats.
    private const string Statement =
        """
        SELECT coalesce(greatest(
                (SELECT max(extract(epoch FROM clock_timestamp() - a.xact_start)) FROM pg_stat_activity a
                    WHERE a.pid <> pg_backend_pid() AND a.pid NOT IN (SELECT v.pid FROM pg_stat_progress_vacuum v)
                        AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL AND a.datname = current_database())),
                (SELECT max(extract(epoch FROM clock_timestamp() - p.prepared)) FROM pg_prepared_xacts p)), 0)::float8,
            pg_has_role('pg_read_all_stats', 'USAGE')
        """;

    private readonly NpgsqlCommand _command = new(Statement, connection);

    public void Dispose() => _command.Dispose();

    /// <returns>The age, 0 without such a transaction, and whether the role sees the transactions of all users.</returns>
    public async ValueTask<(TimeSpan Age, bool SeesAll)> ReadAsync(CancellationToken cancellationToken)
    {
        var answer = await _command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            await answer.ReadAsync(cancellationToken).ConfigureAwait(false);
            return (TimeSpan.FromSeconds(answer.GetDouble(0)), answer.GetBoolean(1));
        }
    }
}
