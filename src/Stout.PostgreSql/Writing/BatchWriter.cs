using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>Commits batches over one connection, each in one round trip. A statement by itself is a transaction.</summary>
internal sealed class BatchWriter : IDisposable
{
    private readonly WriteArrays _arrays = new();
    private readonly List<(int Index, Stamp Stored)> _others = [];
    private readonly NpgsqlCommand _command;
    private readonly ReplicationWatch _replication;

    public BatchWriter(NpgsqlConnection connection, string schema, ReplicationWatch replication)
    {
        _replication = replication;
        _command = new NpgsqlCommand(
            $"SELECT place, stored FROM {SessionSettings.Quote(schema)}.write_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", connection);
        Add(_arrays.Keys, NpgsqlDbType.Bytea);
        Add(_arrays.Expected, NpgsqlDbType.Bytea);
        Add(_arrays.Next, NpgsqlDbType.Bytea);
        Add(_arrays.Flags, NpgsqlDbType.Smallint);
        Add(_arrays.Own, NpgsqlDbType.Bytea);
        Add(_arrays.RemovedOwners, NpgsqlDbType.Integer);
        Add(_arrays.RemovedSubKeys, NpgsqlDbType.Bytea);
        Add(_arrays.Owners, NpgsqlDbType.Integer);
        Add(_arrays.SubKeys, NpgsqlDbType.Bytea);
        Add(_arrays.PartValues, NpgsqlDbType.Bytea);
    }

    /// <summary>Commits the writes of a batch that have no outcome yet, and sets their outcomes once the commit is confirmed.</summary>
    /// <returns>How many were committed.</returns>
    public async ValueTask<int> WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            _arrays.Fill(batch);
            await ExecuteAsync(cancellationToken).ConfigureAwait(false);
            _replication.ThrowIfCutShort();
            for (var place = 1; place <= _arrays.Count; place++)
                batch.SetOutcome(_arrays.IndexAt(place), new WriteOutcome(WriteOutcomeKind.Committed));
            foreach (var (index, stored) in _others)
                batch.SetOutcome(index, new WriteOutcome(stored.Epoch > batch[index].Next.Epoch ? WriteOutcomeKind.Fenced : WriteOutcomeKind.Conflict));
            return _arrays.Count - _others.Count;
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
        _arrays.Dispose();
    }

    private async ValueTask ExecuteAsync(CancellationToken cancellationToken)
    {
        var answer = await _command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
            {
                var stored = answer.IsDBNull(1) ? Stamp.Absent : Stamp.Read(answer.GetFieldValue<byte[]>(1));
                _others.Add((_arrays.IndexAt((int)answer.GetInt64(0)), stored));
            }

            // The commit follows the rows, and is what this waits for; closing the reader would swallow its failure.
            await answer.NextResultAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private void Add<T>(List<T> array, NpgsqlDbType element) =>
        _command.Parameters.Add(new NpgsqlParameter<List<T>> { TypedValue = array, NpgsqlDbType = NpgsqlDbType.Array | element });
}
