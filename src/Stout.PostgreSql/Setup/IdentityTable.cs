using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>A database's table <c>identity</c>, which names its set.</summary>
internal static class IdentityTable
{
    public const string Layout = "stout-postgresql";
    public const int Version = 4;

    /// <summary>The version that opening the store changes into the present one.</summary>
    public const int FormerVersion = 3;

    /// <summary>Reads a database's identity; null if the database belongs to no set yet.</summary>
    /// <exception cref="StoreException">The database is foreign, or of another version.</exception>
    public static async Task<PartitionIdentity?> ReadAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand($"SELECT layout, version, set_id, partition, partitions, hash, ready FROM {Table(schema)}", connection);
        await using (command.ConfigureAwait(false))
        {
            try
            {
                var row = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (row.ConfigureAwait(false))
                {
                    if (!await row.ReadAsync(cancellationToken).ConfigureAwait(false))
                        throw LayoutMismatch("does not say what it is");
                    return Read(row);
                }
            }
            catch (Exception error) when (error is InvalidCastException or PostgresException { SqlState: PostgresErrorCodes.UndefinedColumn })
            {
                throw LayoutMismatch("has tables that this library has not made", error);
            }
        }
    }

    /// <summary>Whether the schema has the former version of this layout.</summary>
    public static async Task<bool> IsFormerAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
    {
        try
        {
            return await connection.AskAsync(
                $"SELECT 1 FROM {Table(schema)} WHERE layout = $1 AND version = $2", cancellationToken, Sql.Parameter(Layout), Sql.Parameter(FormerVersion))
                .ConfigureAwait(false) is not null;
        }
        catch (PostgresException error) when (error.SqlState is PostgresErrorCodes.UndefinedColumn or PostgresErrorCodes.UndefinedFunction)
        {
            return false; // Another program's table, which the check of the identity reports.
        }
    }

    /// <summary>Joins a database without a set to this set. A database that already has a set stays unchanged.</summary>
    public static Task JoinAsync(NpgsqlConnection connection, PostgreSqlOptions options, PartitionIdentity identity, CancellationToken cancellationToken) =>
        connection.CommitAsync(
            options.Calls.Timeout,
            () => connection.ExecuteAsync(
                $"UPDATE {Table(options.Schema)} SET set_id = $1, partition = $2, partitions = $3, hash = $4 WHERE set_id IS NULL",
                cancellationToken,
                Sql.Parameter(identity.SetId),
                Sql.Parameter(identity.Partition),
                Sql.Parameter(identity.Partitions),
                Sql.Parameter(identity.Hash)),
            cancellationToken);

    /// <summary>Records that all databases of the set have joined.</summary>
    public static Task MarkReadyAsync(NpgsqlConnection connection, PostgreSqlOptions options, CancellationToken cancellationToken) =>
        connection.CommitAsync(
            options.Calls.Timeout,
            () => connection.ExecuteAsync($"UPDATE {Table(options.Schema)} SET ready = true WHERE NOT ready", cancellationToken),
            cancellationToken);

    private static PartitionIdentity? Read(NpgsqlDataReader row)
    {
        if (row.GetString(0) != Layout || row.GetInt32(1) != Version)
            throw LayoutMismatch($"has another layout; this library has {Layout}, version {Version}");
        return row.IsDBNull(2)
            ? null
            : new PartitionIdentity(row.GetString(0), row.GetInt32(1), row.GetGuid(2), row.GetInt32(3), row.GetInt32(4), row.GetString(5), row.GetBoolean(6));
    }

    private static string Table(string schema) => SessionSettings.Quote(schema) + ".identity";

    private static StoreException LayoutMismatch(string what, Exception? cause = null) => new(StoreErrorKind.LayoutMismatch, $"The schema {what}.", cause);
}
