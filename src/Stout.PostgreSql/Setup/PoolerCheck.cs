using System.Globalization;
using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>
/// Refuses poolers that give each transaction another server connection, unless they keep prepared statements and the settings hold for the role. In session
/// mode a pooler is as good as the server.
/// </summary>
internal static class PoolerCheck
{
    // A pooler gives a free server connection to the next transaction, usually the one that became free last. Others that use the pool may get it first, so
    // one look may miss it.
    private const int Looks = 8;

    private const string BackendId = "SELECT pg_backend_pid()";

    /// <summary>Checks what stands before the server.</summary>
    /// <exception cref="StoreException">A pooler is in transaction mode.</exception>
    public static async Task CheckAsync(NpgsqlConnection connection, NpgsqlDataSource source, WantedSettings settings, CancellationToken cancellationToken)
    {
        try
        {
            // A pooler reports a process of its own.
            var backend = await BackendOfAsync(connection, cancellationToken).ConfigureAwait(false);
            if (backend == connection.ProcessID || !await SharesBackendsAsync(connection, backend, source, cancellationToken).ConfigureAwait(false))
                return;
        }
        catch (PostgresException error) when (PostgreSqlErrors.IsLostStatement(error))
        {
            throw PostgreSqlErrors.OfPooler(
                "is in transaction mode and loses prepared statements. Use pool_mode = session, or PgBouncer 1.21 or later with max_prepared_statements above 0", error);
        }

        if (await settings.FindOtherAsync(connection, cancellationToken).ConfigureAwait(false) is { } other)
        {
            throw PostgreSqlErrors.OfPooler(
                $"is in transaction mode and drops the setting {other}, so no bound holds. Use pool_mode = session, or set what the store needs for the role (ALTER ROLE)");
        }
    }

    /// <summary>Whether two connections get the same server connection in turn. A pooler that loses prepared statements fails here.</summary>
    private static async Task<bool> SharesBackendsAsync(NpgsqlConnection connection, int backend, NpgsqlDataSource source, CancellationToken cancellationToken)
    {
        var other = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (other.ConfigureAwait(false))
        {
            for (var look = 0; look < Looks; look++)
            {
                var transaction = await other.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
                await using (transaction.ConfigureAwait(false))
                {
                    var taken = await BackendOfAsync(other, cancellationToken).ConfigureAwait(false);

                    // While the other connection keeps that backend, this one gets another, to which its statement is unknown.
                    if (taken == backend || await BackendOfAsync(connection, cancellationToken).ConfigureAwait(false) != backend)
                    {
                        await BackendOfAsync(connection, cancellationToken).ConfigureAwait(false);
                        return true;
                    }
                }
            }
        }

        return false;
    }

    private static async Task<int> BackendOfAsync(NpgsqlConnection connection, CancellationToken cancellationToken) =>
        Convert.ToInt32(await connection.AskAsync(BackendId, cancellationToken).ConfigureAwait(false), CultureInfo.InvariantCulture);
}
