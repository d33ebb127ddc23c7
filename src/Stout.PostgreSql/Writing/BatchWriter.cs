using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>Commits batches over one connection, each in one round trip. A single statement is its own transaction.</summary>
internal sealed class BatchWriter : IDisposable
{
    // 10 ms: enough for a transaction that is about to commit, and short, since the batch's other keys wait too.
    private const string ShortLockTimeout = "SELECT set_config('lock_timeout', '10', true)";

    private const string Arguments = "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    private const string ArgumentsWithLongKeys = "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

    private readonly WriteArrays _arrays = new();
    private readonly List<(int Index, WriteOutcome Outcome)> _others = [];
    private readonly string _function;
    private readonly NpgsqlConnection _connection;
    private readonly NpgsqlCommand _command;
    private readonly ReplicationWatch _replication;
    private readonly NpgsqlBatch?[] _rare = new NpgsqlBatch?[4];

    public BatchWriter(NpgsqlConnection connection, string schema, ReplicationWatch replication)
    {
        _replication = replication;
        _connection = connection;
        _function = $"SELECT place, stored, stored_epoch, stored_claim, busy FROM {SessionSettings.Quote(schema)}.write_batch";
        _command = new NpgsqlCommand(_function + Arguments, connection);
        AddParameters(_command.Parameters);
    }

    /// <summary>Commits writes of a batch, and sets their outcomes after the commit is confirmed.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="selection">The writes; null for all undecided ones, with patience for locks.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The number of ended generations, whose rows are garbage.</returns>
    public async ValueTask<int> WriteAsync(WriteBatch batch, WriteSelection? selection, CancellationToken cancellationToken)
    {
        try
        {
            _arrays.Fill(batch, selection?.Indexes);
            var ended = await ExecuteAsync(batch, selection is not { IsPatient: false }, cancellationToken).ConfigureAwait(false);
            _replication.ThrowIfCutShort();
            for (var place = 1; place <= _arrays.Count; place++)
                batch.SetOutcome(_arrays.IndexAt(place), new WriteOutcome(WriteOutcomeKind.Committed));
            foreach (var (index, outcome) in _others)
                batch.SetOutcome(index, outcome);
            return ended;
        }
        finally
        {
            _arrays.Clear();
            _others.Clear();
        }
    }

    public void Dispose()
    {
        _command.Dispose();
        foreach (var batch in _rare)
            batch?.Dispose();
        _arrays.Dispose();
    }

    private async ValueTask<int> ExecuteAsync(WriteBatch batch, bool isPatient, CancellationToken cancellationToken)
    {
        var ended = 0;
        var hasLongKeys = _arrays.LongKeys.Count > 0;
        var answer = await (isPatient && !hasLongKeys
            ? _command.ExecuteReaderAsync(cancellationToken)
            : Rare(isPatient, hasLongKeys).ExecuteReaderAsync(cancellationToken)).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            do
            {
                while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    if (answer.FieldCount == 1)
                        continue;
                    var place = (int)answer.GetInt64(0);
                    if (place < 0)
                        ended -= place;
                    else
                        _others.Add((_arrays.IndexAt(place), OutcomeOf(answer, batch[_arrays.IndexAt(place)])));
                }
            }
            // The commit's result follows the rows. Closing the reader without reading it would hide a failed commit.
            while (await answer.NextResultAsync(cancellationToken).ConfigureAwait(false));
        }

        return ended;
    }

    private static WriteOutcome OutcomeOf(NpgsqlDataReader row, in KeyWrite write)
    {
        if (row.GetBoolean(4))
            return WriteOutcome.Of(PostgreSqlErrors.Locked());
        var version = Stamp.Absent;
        if (StoredOwner.Read(row, 2) is not { } owner || (!row.IsDBNull(1) && row.GetFieldValue<byte[]>(1) is { Length: > 0 } stamp && !Stamp.TryRead(stamp, out version)))
            return WriteOutcome.Of(PostgreSqlErrors.Undecodable());
        return StampRule.Judge(new KeyHeader(version, owner), write) ?? new WriteOutcome(WriteOutcomeKind.Unknown);
    }

    /// <summary>
    /// Returns the statement with long keys, or in a transaction with a short lock time-out, or both. Each of these statements is created at its first use,
    /// which is rare.
    /// </summary>
    private NpgsqlBatch Rare(bool isPatient, bool hasLongKeys)
    {
        ref var batch = ref _rare[(isPatient ? 0 : 1) + (hasLongKeys ? 2 : 0)];
        if (batch is not null)
            return batch;
        var write = new NpgsqlBatchCommand(_function + (hasLongKeys ? ArgumentsWithLongKeys : Arguments));
        AddParameters(write.Parameters);
        if (hasLongKeys)
            write.Parameters.Add(ArrayParameter.Of(_arrays.LongKeys, NpgsqlDbType.Bytea));
        batch = new NpgsqlBatch(_connection);
        if (!isPatient)
            batch.BatchCommands.Add(new NpgsqlBatchCommand(ShortLockTimeout));
        batch.BatchCommands.Add(write);
        return batch;
    }

    private void AddParameters(NpgsqlParameterCollection parameters)
    {
        parameters.Add(ArrayParameter.Of(_arrays.Keys, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.Expected, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.Next, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.Flags, NpgsqlDbType.Smallint));
        parameters.Add(ArrayParameter.Of(_arrays.Own, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.RemovedPlaces, NpgsqlDbType.Integer));
        parameters.Add(ArrayParameter.Of(_arrays.RemovedSubKeys, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.PartPlaces, NpgsqlDbType.Integer));
        parameters.Add(ArrayParameter.Of(_arrays.SubKeys, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.PartValues, NpgsqlDbType.Bytea));
        parameters.Add(ArrayParameter.Of(_arrays.Epochs, NpgsqlDbType.Bigint));
        parameters.Add(ArrayParameter.Of(_arrays.Claims, NpgsqlDbType.Uuid));
    }
}
