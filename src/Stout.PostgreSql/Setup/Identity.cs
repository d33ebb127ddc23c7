using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Which set a database belongs to, as its table identity keeps it.</summary>
/// <param name="SetId">Random, the same in all databases of a set; null until the database has been opened as a part of one.</param>
/// <param name="Partition">The database's place in the set.</param>
/// <param name="Partitions">The number of databases of the set.</param>
/// <param name="IsReady">Whether all databases of the set belong to it. Nothing is stored in any before.</param>
internal sealed record Identity(Guid? SetId, int Partition, int Partitions, bool IsReady)
{
    private const string Layout = "stout-postgresql";
    private const int Version = 1;

    /// <summary>Reads a database's identity.</summary>
    /// <exception cref="StoreException">It is not a database of ours, or not of this version.</exception>
    public static async Task<Identity> ReadAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
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
                        throw Foreign("does not say what it is");
                    return Read(row);
                }
            }
            catch (Exception error) when (error is InvalidCastException or PostgresException { SqlState: PostgresErrorCodes.UndefinedColumn })
            {
                throw Foreign("has tables that this library has not made", error);
            }
        }
    }

    /// <summary>Makes a database that belongs to no set a part of this one; one that belongs to a set stays what it is.</summary>
    public async Task JoinAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken)
    {
        // Durable before the next database is told: after a crash none may seem to be missing.
        await connection.ExecuteAsync("SET synchronous_commit = on", cancellationToken).ConfigureAwait(false);
        await connection.ExecuteAsync(
            $"UPDATE {Table(schema)} SET set_id = $1, partition = $2, partitions = $3, hash = $4 WHERE set_id IS NULL",
            cancellationToken,
            Sql.Parameter(SetId!.Value),
            Sql.Parameter(Partition),
            Sql.Parameter(Partitions),
            Sql.Parameter(Slots.HashName)).ConfigureAwait(false);
    }

    /// <summary>Notes that all databases of the set belong to it.</summary>
    public static Task SayReadyAsync(NpgsqlConnection connection, string schema, CancellationToken cancellationToken) =>
        connection.ExecuteAsync($"UPDATE {Table(schema)} SET ready = true WHERE NOT ready", cancellationToken);

    private static Identity Read(NpgsqlDataReader row)
    {
        if (row.GetString(0) != Layout || row.GetInt32(1) != Version)
            throw Foreign($"has the layout {row.GetString(0)}, version {row.GetInt32(1)}; this library has {Layout}, version {Version}");
        if (row.IsDBNull(2))
            return new Identity(null, 0, 0, IsReady: false);
        if (row.GetString(5) is var hash && hash != Slots.HashName)
            throw Foreign($"spreads its keys by {hash}; this library does by {Slots.HashName}");
        return new Identity(row.GetGuid(2), row.GetInt32(3), row.GetInt32(4), row.GetBoolean(6));
    }

    private static string Table(string schema) => SessionSettings.Quote(schema) + ".identity";

    private static StoreException Foreign(string what, Exception? cause = null) => new(StoreErrorKind.Foreign, $"The schema {what}.", cause);
}
