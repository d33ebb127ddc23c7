using System.Text;
using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>Reads keys over one connection in one round trip, after claiming those of an older epoch than the reader's.</summary>
internal sealed class BatchReader : IDisposable
{
    private readonly NpgsqlBatch _batch;
    private readonly NpgsqlBatchCommand _claim;
    private readonly NpgsqlBatchCommand _read;
    private readonly NpgsqlParameter<long> _most = new() { NpgsqlDbType = NpgsqlDbType.Bigint };
    private readonly List<byte[]> _keys = [];
    private readonly List<byte[]> _claims = [];
    private readonly ReplicationWatch _replication;

    public BatchReader(NpgsqlConnection connection, string schema, ReplicationWatch replication)
    {
        _replication = replication;
        var quoted = SessionSettings.Quote(schema);
        _batch = new NpgsqlBatch(connection);

        // A damaged stamp is not overwritten: it could be a newer owner's.
        _claim = new NpgsqlBatchCommand(
            $"""
            SELECT {quoted}.claim_keys(array_agg(c.key), array_agg(c.claim))
            FROM unnest($1, $2) AS c (key, claim) JOIN {quoted}.header h ON h.key = c.key
            WHERE octet_length(h.stamp) = {Stamp.Bytes} AND h.stamp > '\x{Stamp.Absent.ToHex()}' AND h.stamp < '\x80'
            """)
        {
            Parameters = { Array(_keys), Array(_claims) },
        };

        // One statement sees one state of the tables, so header and parts are of one stamp. The first rows come with their values, up to the byte
        // limit. The others come with their sizes, which the server knows without reading the values.
        _read = new NpgsqlBatchCommand(
            $"""
            SELECT place, stamp, state, subkey, CASE WHEN sum(size) OVER (ROWS UNBOUNDED PRECEDING) <= $2 THEN value END, size
            FROM (
                SELECT r.place, h.stamp,
                    CASE
                        WHEN octet_length(h.generation) <> {Stamp.Bytes} OR h.generation >= '\x80' THEN {(int)HeaderState.IsDamaged}
                        WHEN h.deleted_at IS NULL THEN {(int)HeaderState.Lives}
                        WHEN h.generation IS NULL AND h.value IS NULL THEN {(int)HeaderState.IsDeleted}
                        ELSE {(int)HeaderState.IsDamaged}
                    END AS state,
                    NULL::bytea AS subkey, h.value, octet_length(h.value) AS size
                FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quoted}.header h ON h.key = r.key
                UNION ALL
                SELECT r.place, NULL, NULL, p.subkey, p.value, octet_length(p.value)
                FROM unnest($1) WITH ORDINALITY AS r (key, place) JOIN {quoted}.header h ON h.key = r.key
                    JOIN {quoted}.part p ON p.key = h.key AND p.generation = h.generation) found
            """)
        {
            Parameters = { Array(_keys), _most },
        };
    }

    /// <summary>
    /// Reads keys of a batch, and sets the outcomes of the decided ones. Keys stay undecided if an older owner created them, or another transaction
    /// locked them, between their claim and their read.
    /// </summary>
    /// <param name="batch">The batch.</param>
    /// <param name="indexes">The indexes of the keys.</param>
    /// <param name="mostBytes">The most bytes of values in the answer.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The keys whose values did not fit, which stay undecided; null if all values fitted.</returns>
    public async ValueTask<List<LargeKey>?> ReadAsync(ReadBatch batch, IReadOnlyList<int> indexes, long mostBytes, CancellationToken cancellationToken)
    {
        try
        {
            Prepare(batch, indexes);
            _most.TypedValue = mostBytes;
            var found = new FoundKey[indexes.Count];
            await ExecuteAsync(found, cancellationToken).ConfigureAwait(false);
            _replication.ThrowIfCutShort();
            List<LargeKey>? large = null;
            for (var i = 0; i < found.Length; i++)
            {
                var read = batch[indexes[i]];
                if (found[i].Settle(0) is not { } outcome)
                    continue;
                if (found[i].Missing is not null && outcome is { Kind: ReadOutcomeKind.Read, Exists: true })
                    (large ??= []).Add(new LargeKey(indexes[i], read, found[i]));
                else
                    batch.SetOutcome(indexes[i], outcome);
            }

            return large;
        }
        finally
        {
            _keys.Clear();
            _claims.Clear();
        }
    }

    public void Dispose() => _batch.Dispose();

    private void Prepare(ReadBatch batch, IReadOnlyList<int> indexes)
    {
        _batch.BatchCommands.Clear();
        foreach (var index in indexes)
        {
            var read = batch[index];
            _keys.Add(Encoding.UTF8.GetBytes(read.Key.Text));
            var claim = new byte[Stamp.Bytes];
            Stamp.Absent.Write(claim);
            _claims.Add(claim);

            // Below epoch 1 there is nothing to claim.
            if (read.Claim is not null && _batch.BatchCommands.Count == 0)
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

    private static void Take(NpgsqlDataReader row, FoundKey[] found)
    {
        ref var key = ref found[(int)row.GetInt64(0) - 1];
        var value = row.IsDBNull(4) ? null : row.GetFieldValue<byte[]>(4);
        int? size = row.IsDBNull(5) ? null : row.GetInt32(5);
        if (!row.IsDBNull(2))
            key.SetHeader(row.IsDBNull(1) ? null : row.GetFieldValue<byte[]>(1), (HeaderState)row.GetInt32(2), value, size);
        else
            key.AddPart(row.IsDBNull(3) ? null : row.GetFieldValue<byte[]>(3), value, size);
    }

    private static NpgsqlParameter<List<byte[]>> Array(List<byte[]> values) =>
        new() { TypedValue = values, NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Bytea };
}
