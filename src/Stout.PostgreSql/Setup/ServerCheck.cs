using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Refuses servers that would lose acknowledged writes.</summary>
internal static class ServerCheck
{
    /// <summary>Checks the server.</summary>
    /// <exception cref="StoreException">The server is unsafe, or a standby.</exception>
    public static async Task CheckServerAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        var bad = await connection.AskAsync(
            "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name LIMIT 1",
            cancellationToken).ConfigureAwait(false);
        if (bad is not null && !options.AllowUnsafeServer)
        {
            throw new StoreException(
                StoreErrorKind.Refused,
                $"The server has {bad} = off and may lose what it acknowledges; {nameof(PostgreSqlOptions.AllowUnsafeServer)} allows it.");
        }

        if (await connection.AskAsync("SELECT 'standby' WHERE pg_is_in_recovery()", cancellationToken).ConfigureAwait(false) is not null)
            throw new StoreException(StoreErrorKind.Unreachable, "The server is a standby, which only reads.");
    }

    /// <summary>Checks the tables of an existing schema.</summary>
    /// <exception cref="StoreException">The tables are unlogged.</exception>
    public static async Task CheckTablesAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        var unlogged = await connection.AskAsync(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relpersistence <> 'p' LIMIT 1
            """,
            cancellationToken,
            Sql.Parameter(options.Schema)).ConfigureAwait(false);
        if (unlogged is not null && !options.AllowUnsafeServer)
        {
            throw new StoreException(
                StoreErrorKind.Refused,
                $"The table {unlogged} is not in the server's log and does not survive a crash; {nameof(PostgreSqlOptions.AllowUnsafeServer)} allows it.");
        }
    }
}
