using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Writing;

/// <summary>Raises the epoch floor over one connection.</summary>
internal sealed class FloorCommand(NpgsqlConnection connection, string schema)
{
    /// <summary>Raises the floor durably to at least the given epoch. Both statements of the batch are one transaction.</summary>
    public async ValueTask<int> RaiseAsync(long epoch, CancellationToken cancellationToken)
    {
        var quoted = SessionSettings.Quote(schema);
        var batch = new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                new NpgsqlBatchCommand($"SELECT {quoted}.commit_durably()"),
                new NpgsqlBatchCommand($"UPDATE {quoted}.epoch_floor SET epoch = $1 WHERE epoch < $1")
                {
                    Parameters = { new NpgsqlParameter<long> { NpgsqlDbType = NpgsqlDbType.Bigint, TypedValue = epoch } },
                },
            },
        };
        await using (batch.ConfigureAwait(false))
            return await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
