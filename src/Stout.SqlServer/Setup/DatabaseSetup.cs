using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Setup;

/// <summary>Sets up one database before its use.</summary>
internal sealed class DatabaseSetup(Database database, int partition) : IPartitionSetup
{
    // Errors of the script if another client runs it too, and has just created the same thing. 2714, 219, 2759, 1913: the object, type, schema or index
    // exists. 2601, 2627: a duplicate key in a catalog. 15530, 33557097: the same errors of compatible servers.
    private static readonly int[] MadeMeanwhile = [2714, 219, 2759, 1913, 2601, 2627, 15530, 33557097];

    private const int NoSuchColumn = 207;

    public string Name => $"Database {partition}";

    /// <summary>Creates missing parts of the schema: tables, types and views.</summary>
    public async ValueTask MakeSchemaAsync(CancellationToken token)
    {
        var batches = SchemaScript.BatchesFor(database.Schema);

        // A try fails when another client has just created one of the objects. Each batch creates at most one object, so at most `batches.Count` tries can
        // fail so.
        for (var tries = 1; !await TryMakeAsync(batches, mayFail: tries <= batches.Count, token).ConfigureAwait(false); tries++)
        {
        }
    }

    /// <summary>Whether the tables exist.</summary>
    public ValueTask<bool> HasSchemaAsync(CancellationToken token) => RunAsync(
        static async (connection, schema, token) =>
        {
            var command = new SqlCommand(Layout.In(schema, "SELECT OBJECT_ID(N'[stout].[layout]')"), connection);
            await using (command.ConfigureAwait(false))
                return await command.ExecuteScalarAsync(token).ConfigureAwait(false) is int;
        },
        token);

    /// <summary>Whether the server may acknowledge commits before their log is on disk.</summary>
    public async ValueTask<bool> DelaysDurabilityAsync(CancellationToken token)
    {
        const int Forced = 2;
        var delayed = await RunAsync(
            static async (connection, _, token) =>
            {
                try
                {
                    var command = new SqlCommand("SELECT CAST(delayed_durability AS int) FROM sys.databases WHERE name = DB_NAME()", connection);
                    await using (command.ConfigureAwait(false))
                        return await command.ExecuteScalarAsync(token).ConfigureAwait(false) as int?;
                }
                catch (SqlException error) when (error.Number == NoSuchColumn)
                {
                    // A server without this column, or with null in it, has no such setting.
                    return null;
                }
            },
            token).ConfigureAwait(false);
        return delayed == Forced;
    }

    public ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken) => RunAsync(
        static async (connection, schema, token) =>
        {
            var sql = Layout.In(
                schema,
                "SELECT name, version, set_id, partition_index, partition_count, hash, CAST(ready AS int) FROM [stout].[layout] WHERE id = 1");
            var command = new SqlCommand(sql, connection);
            await using (command.ConfigureAwait(false))
            {
                var row = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
                await using (row.ConfigureAwait(false))
                {
                    if (!await row.ReadAsync(token).ConfigureAwait(false))
                        return null;
                    if (row.GetFieldValue<byte[]>(2) is not { Length: 16 } setId)
                        throw new StoreException(StoreErrorKind.Corrupt, "The database does not say which set it belongs to.");
                    return new PartitionIdentity(
                        row.GetString(0), row.GetInt32(1), new Guid(setId, bigEndian: true), row.GetInt32(3),
                        row.GetInt32(4), row.GetString(5), row.GetInt32(6) != 0);
                }
            }
        },
        cancellationToken);

    public async ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken) => await RunAsync(
        async (connection, schema, token) =>
        {
            var sql = Layout.In(
                schema,
                """
                INSERT INTO [stout].[layout] (id, name, version, set_id, partition_index, partition_count, hash, ready)
                SELECT 1, @name, @version, @set, @partition, @partitions, @hash, 0 WHERE NOT EXISTS (SELECT 1 FROM [stout].[layout] WHERE id = 1)
                """);
            await ExecuteAsync(
                connection, sql, token,
                new("@name", SqlDbType.NVarChar, 64) { Value = identity.Layout },
                new("@version", SqlDbType.Int) { Value = identity.Version },
                new("@set", SqlDbType.VarBinary, 16) { Value = identity.SetId.ToByteArray(bigEndian: true) },
                new("@partition", SqlDbType.Int) { Value = identity.Partition },
                new("@partitions", SqlDbType.Int) { Value = identity.Partitions },
                new("@hash", SqlDbType.NVarChar, 64) { Value = identity.Hash }).ConfigureAwait(false);
            return 0;
        },
        cancellationToken).ConfigureAwait(false);

    public async ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken) => await RunAsync(
        static async (connection, schema, token) =>
        {
            await ExecuteAsync(connection, Layout.In(schema, "UPDATE [stout].[layout] SET ready = 1 WHERE ready = 0"), token).ConfigureAwait(false);
            return 0;
        },
        cancellationToken).ConfigureAwait(false);

    // One call for each batch: the time limit applies to calls, and all batches together may need longer.
    private async ValueTask<bool> TryMakeAsync(IReadOnlyList<string> batches, bool mayFail, CancellationToken token)
    {
        foreach (var batch in batches)
        {
            if (!await RunAsync((connection, _, token) => TryExecuteAsync(connection, batch, mayFail, token), token).ConfigureAwait(false))
                return false;
        }

        return true;
    }

    private static async ValueTask<bool> TryExecuteAsync(SqlConnection connection, string sql, bool mayFail, CancellationToken token)
    {
        try
        {
            await ExecuteAsync(connection, sql, token).ConfigureAwait(false);
            return true;
        }
        catch (SqlException error) when (mayFail && MadeMeanwhile.Contains(error.Number))
        {
            return false;
        }
    }

    private ValueTask<TResult> RunAsync<TResult>(Func<SqlConnection, string, CancellationToken, ValueTask<TResult>> command, CancellationToken token) =>
        database.RunAsync(command, database.Schema, token);

    private static async ValueTask<int> ExecuteAsync(
        SqlConnection connection, string sql, CancellationToken token, params SqlParameter[] parameters)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddRange(parameters);
            return await command.ExecuteNonQueryAsync(token).ConfigureAwait(false);
        }
    }
}
