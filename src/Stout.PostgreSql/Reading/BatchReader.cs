using System.Data.Common;
using System.Text;
using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>Reads keys over one connection in one round trip, claiming first those that are older than their reader.</summary>
internal sealed class BatchReader : IDisposable
{
    private readonly NpgsqlBatch _batch;
    private readonly NpgsqlBatchCommand _claim;
    private readonly NpgsqlBatchCommand _read;
    private readonly List<byte[]> _keys = [];
    private readonly List<byte[]> _claims = [];
    private readonly ReplicationWatch _replication;

    public BatchReader(NpgsqlConnection connection, string schema, ReplicationWatch replication)
    {
        _replication = replication;
        var quoted = SessionSettings.Quote(schema);
        _batch = new NpgsqlBatch(connection);
        _claim = new NpgsqlBatchCommand($"SELECT {quoted}.claim_keys($1, $2)") { Parameters = { Array(_keys), Array(_claims) } };

        // One statement sees one state of the tables: header and parts are as of one stamp.
        _read = new NpgsqlBatchCommand(
            $"""
            SELECT r.place, h.stamp, h.deleted_at IS NOT NULL, NULL::bytea, h.value
            FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quoted}.header h ON h.key = r.key
            UNION ALL
            SELECT r.place, NULL, NULL, p.subkey, p.value
            FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quoted}.header h ON h.key = r.key
                JOIN {quoted}.part p ON p.key = h.key AND p.generation = h.generation
            """)
        {
            Parameters = { Array(_keys) },
        };
    }

    /// <summary>Reads the keys of a batch that have no outcome yet, and sets the outcomes of those that are settled.</summary>
    /// <returns>How many are not: keys that an older owner has made between their claim and their reading.</returns>
    public async ValueTask<int> ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            List<int> indexes = [.. Enumerable.Range(0, batch.Count).Where(i => batch.OutcomeOf(i).Kind == ReadOutcomeKind.Unknown)];
            Prepare(batch, indexes);
            var found = new FoundKey[indexes.Count];
            await ExecuteAsync(found, cancellationToken).ConfigureAwait(false);
            _replication.ThrowIfCutShort();
            var unsettled = 0;
            for (var i = 0; i < found.Length; i++)
            {
                if (found[i].Settle(batch[indexes[i]].Claim.Epoch) is { } outcome)
                    batch.SetOutcome(indexes[i], outcome);
                else
                    unsettled++;
            }

            return unsettled;
        }
        finally
        {
            _keys.Clear();
            _claims.Clear();
        }
    }

    public void Dispose() => _batch.Dispose();

    private void Prepare(ReadBatch batch, List<int> indexes)
    {
        _batch.BatchCommands.Clear();
        foreach (var index in indexes)
        {
            var read = batch[index];
            _keys.Add(Encoding.UTF8.GetBytes(read.Key.Text));
            var claim = new byte[Stamp.Bytes];
            read.Claim.Write(claim);
            _claims.Add(claim);

            // Below epoch 1 there is nothing to claim.
            if (read.Claim.Epoch > 0 && _batch.BatchCommands.Count == 0)
                _batch.BatchCommands.Add(_claim);
        }

        _batch.BatchCommands.Add(_read);
    }

    private async ValueTask ExecuteAsync(FoundKey[] found, CancellationToken cancellationToken)
    {
        var answer = await _batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            do
            {
                while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    if (answer.FieldCount > 1)
                        Take(answer, found);
                }
            }
            while (await answer.NextResultAsync(cancellationToken).ConfigureAwait(false));
        }
    }

    private static void Take(DbDataReader row, FoundKey[] found)
    {
        ref var key = ref found[(int)row.GetInt64(0) - 1];
        var value = row.IsDBNull(4) ? null : row.GetFieldValue<byte[]>(4);
        if (!row.IsDBNull(1))
            key.SetHeader(Stamp.Read(row.GetFieldValue<byte[]>(1)), row.GetBoolean(2), value);
        else
            key.AddPart(row.GetFieldValue<byte[]>(3), value!);
    }

    private static NpgsqlParameter<List<byte[]>> Array(List<byte[]> values) =>
        new() { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Bytea };
}
