using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Creates a missing schema, with the embedded script that an administrator can also run with psql.</summary>
internal static class SchemaScript
{
    // An arbitrary number that all clients share: clients that open an empty database at once create the schema one after the other.
    private const long LockNumber = 0x53746F7574;

    /// <exception cref="StoreException">The schema is missing or of the former version, and must not be changed; or it belongs to another program.</exception>
    public static async Task EnsureAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        if (!await IsThereAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
            await CreateAsync(connection, options, cancellationToken).ConfigureAwait(false);
        else if (await IdentityTable.IsFormerAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
            await UpgradeAsync(connection, options, cancellationToken).ConfigureAwait(false);
    }

    private static async Task CreateAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        if (!options.CreateMissing)
        {
            throw new StoreException(
                StoreErrorKind.LayoutMismatch, "The schema is missing, and the options say that it is not to be made. Run deploy/schemas/postgresql/schema.sql.");
        }

        await ChangeAsync(
            connection,
            options,
            async () =>
            {
                if (await IsThereAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
                    return;
                if (await HasRelationsAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
                    throw new StoreException(StoreErrorKind.LayoutMismatch, "The schema has tables that this library has not made.");
                await connection.ExecuteAsync(For(options.Schema), cancellationToken).ConfigureAwait(false);
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Changes a schema of the former version. Clients of that version that are running go on, since the functions keep their parameters.</summary>
    private static async Task UpgradeAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        if (!options.CreateMissing)
            throw Former(options, "the options say that it is not to be changed");
        try
        {
            await ChangeAsync(
                connection,
                options,
                async () =>
                {
                    if (await IdentityTable.IsFormerAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
                        await connection.ExecuteAsync(For(options.Schema, isThere: true), cancellationToken).ConfigureAwait(false);
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (PostgresException error) when (error.SqlState == PostgresErrorCodes.InsufficientPrivilege)
        {
            throw Former(options, "the user does not own its tables", error);
        }
    }

    /// <summary>Changes the schema in a transaction, one client after the other.</summary>
    private static Task ChangeAsync(NpgsqlConnection connection, PostgreSqlOptions options, Func<Task> change, CancellationToken cancellationToken) =>
        connection.CommitAsync(
            options.Calls.Timeout,
            async () =>
            {
                await connection.ExecuteAsync($"SELECT pg_advisory_xact_lock({LockNumber})", cancellationToken).ConfigureAwait(false);
                await change().ConfigureAwait(false);
            },
            cancellationToken);

    private static StoreException Former(PostgreSqlOptions options, string why, Exception? cause = null) => new(
        StoreErrorKind.LayoutMismatch,
        $"The schema has version {IdentityTable.FormerVersion} of the layout, this library has {IdentityTable.Version}, and {why}. Have the owner of the tables run, before this client is started: "
            + $"psql -v ON_ERROR_STOP=1 -v schema={options.Schema} --single-transaction -f deploy/schemas/postgresql/schema.sql",
        cause);

    /// <summary>The script for a schema of this name, without psql's own commands.</summary>
    /// <param name="schema">The schema's name.</param>
    /// <param name="isThere">Whether the schema exists. Its owner need not have the right to create schemas.</param>
    private static string For(string schema, bool isThere = false)
    {
        using var stream = typeof(SchemaScript).Assembly.GetManifestResourceStream("schema.sql")!;
        using var reader = new StreamReader(stream);
        var lines = reader.ReadToEnd().Split('\n')
            .Where(line => !line.StartsWith('\\') && !(isThere && line.StartsWith("CREATE SCHEMA", StringComparison.Ordinal)));
        return string.Join('\n', lines).Replace(":\"schema\"", SessionSettings.Quote(schema), StringComparison.Ordinal);
    }

    // The query reads the catalog, since to_regclass may answer from a cache older than the lock.
    private static Task<bool> IsThereAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken) =>
        HasRelationAsync(connection, "n.nspname = $1 AND c.relname = 'identity'", schema, cancellationToken);

    private static Task<bool> HasRelationsAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken) =>
        HasRelationAsync(connection, "n.nspname = $1", schema, cancellationToken);

    private static async Task<bool> HasRelationAsync(NpgsqlConnection connection, string condition, string schema, CancellationToken cancellationToken) =>
        await connection.AskAsync(
            $"SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {condition} LIMIT 1",
            cancellationToken,
            Sql.Parameter(schema)).ConfigureAwait(false) is not null;
}
