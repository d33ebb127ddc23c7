using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Creates a missing schema, with the embedded script that an administrator can also run with psql.</summary>
internal static class SchemaScript
{
    // An arbitrary number that all clients share: clients that open an empty database at once create the schema one after the other.
    private const long LockNumber = 0x53746F7574;

    /// <exception cref="StoreException">The schema is missing and must not be created, or belongs to another program.</exception>
    public static async Task EnsureAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        if (await IsThereAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
            return;
        if (!options.CreateMissing)
        {
            throw new StoreException(
                StoreErrorKind.LayoutMismatch, "The schema is missing, and the options say that it is not to be made. Run deploy/schemas/postgresql/schema.sql.");
        }

        var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            await connection.ExecuteAsync($"SELECT pg_advisory_xact_lock({LockNumber})", cancellationToken).ConfigureAwait(false);
            if (await IsThereAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
                return;
            if (await HasRelationsAsync(connection, options.Schema, cancellationToken).ConfigureAwait(false))
                throw new StoreException(StoreErrorKind.LayoutMismatch, "The schema has tables that this library has not made.");
            await connection.ExecuteAsync(For(options.Schema), cancellationToken).ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The script for a schema of this name, without psql's own commands.</summary>
    private static string For(string schema)
    {
        using var stream = typeof(SchemaScript).Assembly.GetManifestResourceStream("schema.sql")!;
        using var reader = new StreamReader(stream);
        var lines = reader.ReadToEnd().Split('\n').Where(static line => !line.StartsWith('\\'));
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
